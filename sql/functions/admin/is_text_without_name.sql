create or replace function invite.is_text_without_name(kind text, value jsonb) returns boolean
language sql immutable parallel safe
as $$
  select invite.is_single_line(value, case kind when 'subject_without_name' then 255 else 100 end)
    and position('{{recipient_name}}' in value #>> '{}') = 0
$$;
comment on function invite.is_text_without_name(text, jsonb) is
  'Whether a value can be a greeting (100 characters) or subject (255) for recipients without a name: one line, without {{recipient_name}}.';
