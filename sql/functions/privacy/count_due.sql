/*
 * What pruning would delete within 24 hours if something were kept for so many days: of batches, their invitations. It stops counting at max_rows.
 * With the owner's rights, because the view due_for_deletion asks it with those of its reader. Pins: lookup plan, offset 0 fence.
 */
create or replace function invite.count_due(
  what invite.retained, days integer, at timestamptz default null, max_rows integer default 10000
) returns integer
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
declare
  v_before constant timestamptz := invite.now(count_due.at) + (1 - count_due.days) * interval '1 day';
begin
  return case when count_due.days is null then 0 else case count_due.what
    when 'batches' then
      (select least(coalesce(sum(b.recipients), 0), count_due.max_rows) from invite.prunable_batches(
        invite.prunable_before(count_due.days, invite.now(count_due.at) + interval '1 day'), count_due.max_rows) as b)
    when 'responses' then (
      select count(*)
      from (
        select
        from (select s.id from invite.surveys as s offset 0) as s
        cross join lateral (
          select from invite.responses as x where x.survey_id = s.id and x.submitted_at <= v_before limit count_due.max_rows
        ) as x
        limit count_due.max_rows
      ) as n)
    when 'relay_events' then (
      select count(*)
      from (
        select from invite.relay_events as x where x.invitation_id is not null and x.recorded_at <= v_before limit count_due.max_rows
      ) as n)
    when 'audit_log' then (
      select least(count(*), count_due.max_rows)
      from invite.id_ranges() as g
      cross join lateral (
        select x.at from invite.audit_log as x where x.id >= g.first and x.id <= g.last order by x.id limit count_due.max_rows
      ) as n
      where n.at <= v_before)
    when 'failed_jobs' then (
      select count(*)
      from (
        select from graphile_worker._private_jobs as j
        where j.attempts >= j.max_attempts and j.locked_at is null and j.updated_at <= v_before limit count_due.max_rows
      ) as n)
    when 'events' then (
      select count(*)
      from (
        select from invite.events as e where e.published_at < date_trunc('week', v_before, 'UTC') limit count_due.max_rows
      ) as n)
  end end;
end
$$;
comment on function invite.count_due(invite.retained, integer, timestamptz, integer) is
  'How many rows 24 hours would delete if something were kept for so many days, up to a maximum.';
