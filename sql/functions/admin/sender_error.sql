/*
 * Doesn't check whether the sender's domain is allowed: that is the operator's setting SENDER_DOMAINS, which only the worker knows.
 */
create or replace function invite.sender_error(sender jsonb) returns text
language sql immutable parallel safe
as $$
  select case when e.key in (
      'name', 'email', 'reply_to', 'logo_url', 'logo_alt', 'accent_color', 'postal_address', 'recipient_word',
      'greeting_without_name', 'subject_without_name', 'button_text', 'preheader'
    ) then e.key else 'unknown_setting' end
  from jsonb_each(case when jsonb_typeof(sender) = 'object' then sender else '{"": 0}' end) as e
  cross join lateral (select e.value #>> '{}') as v (text)
  where not case
    when e.key in ('name', 'logo_alt', 'recipient_word', 'button_text') then invite.is_single_line(e.value, 100)
    when e.key = 'preheader' then invite.is_single_line(e.value, 255)
    when e.key in ('greeting_without_name', 'subject_without_name') then invite.is_text_without_name(e.key, e.value)
    when jsonb_typeof(e.value) <> 'string' then false
    when e.key in ('email', 'reply_to') then
      length(v.text) <= 254 and v.text ~ '^[^@[:space:][:cntrl:]<>,;"]+@[^@[:space:][:cntrl:]<>,;"]+[.][^@[:space:][:cntrl:]<>,;"]+$'
      and v.text ~ '^[ -~]+$'
    when e.key = 'logo_url' then
      length(v.text) <= 2000 and v.text ~* '^https://[^[:space:][:cntrl:]<>"]+$'
      or v.text ~ '^/logo/[a-z0-9]{8}[0-9a-f]{32}-[1-9][0-9]{1,3}x[1-9][0-9]{1,3}[.](png|jpg)$'
    when e.key = 'accent_color' then v.text ~ '^#[0-9A-Fa-f]{6}$'
    when e.key = 'postal_address' then length(v.text) between 1 and 500 and v.text !~ '[\u0001-\u0009\u000b-\u001f\u007f-\u009f]' and v.text !~ invite.direction_marks()
    else false
  end
  order by e.key
  limit 1
$$;
comment on function invite.sender_error(jsonb) is
  'The first setting of a sender that has a wrong form, or unknown_setting if there is a setting of another name; null if nothing is wrong.';
