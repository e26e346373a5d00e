/*
 * Raises: as request_test_advance.
 */
create or replace function invite.token_test_advance(secret_hash bytea, until timestamptz default null, by interval default null) returns uuid
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  return invite.request_test_advance(
    invite.test_workspace_of(token_test_advance.secret_hash), token_test_advance.until, token_test_advance.by);
end
$$;
comment on function invite.token_test_advance(bytea, timestamptz, interval) is 'As request_test_advance, for the workspace of a test token.';
