create or replace function invite.count_failing_jobs() returns table (state text, jobs bigint)
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  select s.state, count(j.state)
  from unnest(array['retrying', 'gave_up']) as s (state)
  left join invite.failing_jobs as j on j.state = s.state
  group by s.state;
end
$$;
comment on function invite.count_failing_jobs() is 'How many jobs failed at their last attempt, for monitoring: retrying or gave_up.';
