create or replace function invite.address_key(workspace_id text, email text) returns bigint
language sql immutable parallel safe
as $$
  select hashtextextended(workspace_id || ' ' || lower(email collate "C"), 0)
$$;
comment on function invite.address_key(text, text) is 'The advisory lock of an address in its workspace: who invites it, or looks again at what rests.';
