create or replace function invite.count_events() returns table (state text, count bigint)
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  select 'unpublished', (
    select count(*)
    from (select from invite.new_events as n where n.id >= (select p.read_from from invite.queue_progress as p where p.queue = 'new_events') limit 100000) as l)
  union all
  select 'webhooks_failing', (select count(*) from invite.webhook_endpoints as w where w.failing_since is not null and w.paused_at is null and w.deleted_at is null);
end
$$;
comment on function invite.count_events() is
  'How many events have no position yet, counted up to 100,000, and how many endpoints fail; for monitoring.';
