create or replace function invite.token_test_clock(secret_hash bytea) returns jsonb
language sql stable security definer
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object('now', w.test_now, 'next', invite.next_in_test(w.id), 'workspace_id', w.id)
  from invite.workspaces as w
  where w.id = invite.test_workspace_of(token_test_clock.secret_hash)
$$;
comment on function invite.token_test_clock(bytea) is
  'What time it is in the test workspace of a token, and when something next happens: {now, next, workspace_id}. Null: there is no such token.';
