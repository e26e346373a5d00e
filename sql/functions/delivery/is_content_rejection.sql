create or replace function invite.is_content_rejection(outcome text, code text) returns boolean
language sql immutable
as $$
  select is_content_rejection.outcome = 'rejected'
    and is_content_rejection.code is distinct from 'invalid_recipient' and is_content_rejection.code is distinct from 'message_too_large'
$$;
comment on function invite.is_content_rejection(text, text) is
  'Whether a relay''s rejection of a message says something of others with the same content, and not of its recipient alone.';
