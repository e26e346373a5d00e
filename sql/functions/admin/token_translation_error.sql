/*
 * A translated message has the limits of the token's message. jit is off, because the planner overestimates the cost of nested row sets and
 * would compile the query.
 */
create or replace function invite.token_translation_error(translations jsonb) returns text
language sql immutable parallel safe
set jit = off
as $$
  select concat_ws('.', l.key, nullif(x.key, ''))
  from jsonb_each(case when jsonb_typeof(translations) = 'object' then translations else '{"": 0}' end) as l
  left join lateral jsonb_each(case when jsonb_typeof(l.value) = 'object' then l.value else '{"": 0}' end) as x on true
  where not invite.is_language_tag(l.key)
    or not case
      when x.key is null then true
      when x.key in ('subject', 'reminder_subject', 'preheader') then invite.is_single_line(x.value, 255)
      when x.key in ('recipient_word', 'button_text') then invite.is_single_line(x.value, 100)
      when x.key in ('greeting_without_name', 'subject_without_name') then invite.is_text_without_name(x.key, x.value)
      when x.key in ('message', 'reminder_message') then
        jsonb_typeof(x.value) = 'string' and octet_length(x.value #>> '{}') between 1 and 65536
      else false
    end
  order by 1
  limit 1
$$;
comment on function invite.token_translation_error(jsonb) is
  'The place where the translations of a token''s texts have a wrong form, such as de.subject; null if there is none.';
