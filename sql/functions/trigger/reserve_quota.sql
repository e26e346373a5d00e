/*
 * The hourly limit: recipients per workspace per rolling hour, exact across processes. Reserves the recipients of requests that nothing
 * else rejects, in their order; a request that does not fit is rejected and reserves nothing. One that would fit without those before it in
 * the same call has no result: it must be asked again.
 *
 * Why minute buckets: the sum is over some sixty rows whatever the traffic. The window is the present minute and the sixty before
 * it, so that no sixty minutes ever see more than the limit.
 *
 * Runs under the tokens' locks. Locks: an advisory lock on each workspace, by id, until the transaction ends: two callers in different minutes
 * share no row, so a row lock could not keep their sums apart. The settings of accept_triggers pin its plans.
 */
create or replace function invite.reserve_quota(
  checks invite.trigger_check[], recipients_per_hour integer, at timestamptz
) returns setof invite.trigger_check
language plpgsql volatile
as $$
declare
  v_minute timestamptz := date_trunc('minute', reserve_quota.at);
  v_workspaces text[] := array(select distinct c.workspace_id from unnest(reserve_quota.checks) as c order by c.workspace_id);
begin
  perform pg_advisory_xact_lock(hashtextextended('invite.workspace_quotas/' || w.id, 0)) from unnest(v_workspaces) as w (id);

  delete from invite.workspace_quotas as v
  where v.workspace_id = any (v_workspaces) and v.minute < v_minute - interval '60 minutes';

  return query
  with asked as materialized (
    select
      c.*,
      coalesce((select sum(v.recipients) from invite.workspace_quotas as v where v.workspace_id = c.workspace_id), 0) as used,
      sum(c.recipients) over (partition by c.workspace_id order by c.request) as asked_so_far
    from unnest(reserve_quota.checks) as c
  ),
  taken as (
    insert into invite.workspace_quotas as v (workspace_id, minute, recipients)
    select a.workspace_id, v_minute, sum(a.recipients)
    from asked as a
    where a.used + a.asked_so_far <= reserve_quota.recipients_per_hour
    group by a.workspace_id
    order by a.workspace_id
    on conflict on constraint workspace_quotas_pkey
    do update set recipients = v.recipients + excluded.recipients
  )
  select
    a.request, a.token_id, a.survey_id, a.workspace_id, a.recipients,
    case when a.used + a.recipients > reserve_quota.recipients_per_hour then
      row(
        'flood_protection',
        case when a.recipients > reserve_quota.recipients_per_hour then 3600
        else (
          -- From when the oldest minute is out of the window that must leave it before the request fits.
          select ceil(extract(epoch from max(w.minute) + interval '61 minutes' - reserve_quota.at))
          from (
            select v.minute, sum(v.recipients) over (order by v.minute desc) as since
            from invite.workspace_quotas as v
            where v.workspace_id = a.workspace_id
          ) as w
          where w.since + a.recipients > reserve_quota.recipients_per_hour
        ) end,
        null, null, null, null, a.request
      )::invite.trigger_result
    end
  from asked as a
  where a.used + a.asked_so_far <= reserve_quota.recipients_per_hour
    or a.used + a.recipients > reserve_quota.recipients_per_hour;
end
$$;
comment on function invite.reserve_quota(invite.trigger_check[], integer, timestamptz) is
  'Reserves the requests'' recipients in their workspaces'' hourly quotas. Rejected: retry_after_seconds, until they fit. Missing: ask again.';
