/*
 * The list is that of DEFAULTS and QUESTION_TEXTS in src/languages, which a test compares.
 */
create or replace function invite.is_default_text(own text) returns boolean
language sql immutable parallel safe
as $$
  select own in (
    'How likely are you to recommend us?',
    'Not at all likely',
    'Extremely likely',
    'What is the main reason for your score?',
    'Yes',
    'No',
    'How likely are you to recommend us to a friend or colleague?',
    'How satisfied are you?',
    'Very dissatisfied',
    'Very satisfied',
    'What could we do better?',
    'It was easy to get what I needed.',
    'Strongly disagree',
    'Strongly agree',
    'What would have made it easier?',
    'How satisfied are you with your delivery?',
    'Did everything arrive in good condition?',
    'What was wrong?',
    'Is there anything else you would like to tell us?',
    'How satisfied are you with the help you received?',
    'Has your problem been solved?',
    'What still needs to be solved?',
    'Why did you cancel?',
    'Too expensive',
    'Missing features',
    'Too difficult to use',
    'I no longer need it',
    'I switched to another product',
    'Another reason',
    'What could we have done better?',
    'Would you consider coming back?')
$$;
comment on function invite.is_default_text(text) is
  'Whether the service itself says a text of a question in each of its languages, so that it needs no translation.';
