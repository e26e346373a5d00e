/*
 * Mail providers judge a domain as a whole. So the emails of all workspaces that send from it are counted together, for a warning to the operator, at most
 * once a day. It pauses nobody: one bad list must not hold those who did nothing wrong. Of the first 1,000 workspaces.
 *
 * Locks: the domain (advisory, until the transaction ends).
 */
create or replace function invite.warn_of_domain(workspace invite.workspaces, at timestamptz) returns boolean
language plpgsql volatile
as $$
declare
  v_domain constant text := invite.domain_of(workspace.sender ->> 'email');
  v_workspaces text[];
  v_worst record;
  v_detail jsonb;
begin
  v_workspaces := array(
    select w.id from invite.workspaces as w
    where w.test_of is null and v_domain is not null and invite.domain_of(w.sender ->> 'email') = v_domain
    order by w.id limit 1000);
  if cardinality(v_workspaces) < 2 then
    return false;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('guard ' || v_domain, 0));
  if exists (
    select from invite.audit_log as a
    where a.workspace_id is null and a.action = 'guard_domain_warned' and a.subject = v_domain and a.at > warn_of_domain.at - interval '1 day')
  then
    return false;
  end if;
  select f.outcome, f.hours, f.sent, f.reports into v_worst
  from (
    select x.outcome, x.hours, sum(x.sent) as sent, sum(x.reports) as reports
    from unnest(v_workspaces) as w (id)
    cross join lateral invite.guard_figures(w.id, warn_of_domain.at) as x
    group by 1, 2
  ) as f
  join invite.guard_limits as l on l.outcome = f.outcome and l.hours = f.hours
  where f.sent >= l.min_sent and f.reports >= l.min_reports and f.reports >= l.warn_share * f.sent
  order by f.reports / f.sent desc
  limit 1;
  if v_worst is null then
    return false;
  end if;
  v_detail := jsonb_build_object(
    'outcome', v_worst.outcome, 'hours', v_worst.hours, 'sent', v_worst.sent, 'reports', v_worst.reports, 'domain', v_domain,
    'workspaces', cardinality(v_workspaces));
  insert into invite.audit_log (workspace_id, at, actor, action, subject, detail)
  values (null, warn_of_domain.at, 'service', 'guard_domain_warned', v_domain, v_detail);
  perform graphile_worker.add_job(
    'send_guard_notice', json_build_object('workspace_id', workspace.id, 'email', null, 'verdict', 'warn', 'figure', v_detail));
  return true;
end
$$;
comment on function invite.warn_of_domain(invite.workspaces, timestamptz) is
  'Warns the operator if too much of what several workspaces send from one domain bounces or is reported as spam. Returns whether it did.';
