-- Of one request: of several, those of real workspaces would get the time of a test.
create or replace function invite.test_time_of(requests jsonb) returns timestamptz
language plpgsql stable
as $$
begin
  return (
    select w.test_now
    from invite.workspaces as w
    where w.id = invite.test_workspace_of((test_time_of.requests #>> '{0,secret_hash}')::bytea) and jsonb_array_length(test_time_of.requests) = 1);
end
$$;
comment on function invite.test_time_of(jsonb) is 'The time in the workspace of a trigger request. Null: the workspace is real.';
