create or replace function invite.token_test_result(secret_hash bytea, advance_id uuid) returns jsonb
language sql stable security definer
set search_path = pg_catalog, pg_temp
as $$
  select invite.test_result(invite.test_workspace_of(token_test_result.secret_hash), token_test_result.advance_id)
$$;
comment on function invite.token_test_result(bytea, uuid) is 'As test_result, for the workspace of a test token.';
