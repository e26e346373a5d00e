create or replace function invite.next_test_advance(workspace_id text) returns uuid
language sql stable
as $$
  select a.id from invite.test_advances as a
  where a.workspace_id = next_test_advance.workspace_id and a.ended_at is null
  order by a.requested_at
  limit 1
$$;
comment on function invite.next_test_advance(text) is 'The oldest request to move the clock of a test workspace that has not ended.';
