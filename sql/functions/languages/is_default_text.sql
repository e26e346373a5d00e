/*
 * The list is that of DEFAULTS and QUESTION_TEXTS in src/languages, which a test compares.
 */
create or replace function invite.is_default_text(own text) returns boolean
language sql immutable parallel safe
as $$
  select own in (
    'How likely are you to recommend us?', 'Not at all likely', 'Extremely likely', 'What is the main reason for your score?',
    'Yes', 'No')
$$;
comment on function invite.is_default_text(text) is
  'Whether the service itself says a text of a question in each of its languages, so that it needs no translation.';
