/*
 * A job calls it a second after a bounce or complaint was reported. It pauses the email of the workspace, or warns at most once a day. Each owner
 * gets an email, and so does the operator. What a worker has claimed by then still leaves.
 *
 * A domain that several workspaces send from is warned of too, but never paused (warn_of_domain).
 *
 * Locks: the workspace. Returns pause, warn or nothing. The check runs after the lock, so that a release in the meantime counts.
 */
create or replace function invite.check_guard(workspace_id text, at timestamptz default null) returns text
language plpgsql volatile
as $$
declare
  v_workspace invite.workspaces;
  v_now timestamptz;
  v_worst invite.guard_figure;
  v_detail jsonb;
begin
  select w.* into v_workspace
  from invite.workspaces as w
  where w.id = check_guard.workspace_id and w.test_of is null and w.moved_to is null
  for no key update;
  v_now := invite.clock(check_guard.at);
  if v_workspace.id is not null then
    perform invite.warn_of_domain(v_workspace, v_now);
  end if;
  if v_workspace.id is null or v_workspace.guarded_at is not null then
    return null;
  end if;
  select f.* into v_worst
  from invite.guard_figures(v_workspace.id, v_now) as f
  where f.verdict in ('pause', 'warn')
  order by f.verdict = 'pause' desc, f.reports::numeric / f.sent desc
  limit 1;
  if v_worst.verdict is null or v_worst.verdict = 'warn' and v_workspace.guard_warned_at > v_now - interval '1 day' then
    return null;
  end if;

  v_detail := jsonb_build_object(
    'outcome', v_worst.outcome, 'hours', v_worst.hours, 'sent', v_worst.sent, 'reports', v_worst.reports);
  if v_worst.verdict = 'pause' then
    update invite.workspaces as w set guarded_at = v_now where w.id = v_workspace.id;
    perform invite.record_audit(v_workspace.id, 'service', 'guard_paused', v_workspace.name, v_detail);
    perform invite.record_guard_events(v_workspace, 'survey.held', v_now);
  else
    update invite.workspaces as w set guard_warned_at = v_now where w.id = v_workspace.id;
    perform invite.record_audit(v_workspace.id, 'service', 'guard_warned', v_workspace.name, v_detail);
  end if;
  -- One job for each, so that who has the email gets no second one if another is refused. Without an address: the operator's.
  perform graphile_worker.add_job(
    'send_guard_notice',
    json_build_object('workspace_id', v_workspace.id, 'email', r.email, 'verdict', v_worst.verdict, 'figure', v_detail))
  from (
    select null::text as email
    union all
    (
      select m.email from invite.members as m
      where m.workspace_id = v_workspace.id and m.role = 'owner'
      order by m.email
      limit 20
    )
  ) as r;
  return v_worst.verdict;
end
$$;
comment on function invite.check_guard(text, timestamptz) is
  'Pauses the email of a workspace if too much of it bounces or is reported as spam, or warns of it. Returns pause or warn; null: neither.';
