create type console.guard as (
  guarded_at timestamptz, released_at timestamptz, may_release boolean, has_reports boolean, figures jsonb, hours jsonb, reported jsonb
);
comment on type console.guard is
  'How a workspace stands to the guard. guarded_at: when it paused the email; null: it didn''t. released_at: the last time; null: never. may_release: whether a '
  'member may release it, or only the operator. has_reports: whether a relay has reported anything within seven days; if not, nobody knows how much bounces. '
  'figures: [{outcome, hours, sent, reports, verdict, warn_share, pause_share, min_sent, min_reports}]. hours: of the last 24, the newest first, '
  '[{at, sent, bounced, complained}]. reported: the newest bounces and complaints, [{invitation_id, email, outcome, at, survey_id, title}]; email: null: erased.';

/*
 * Pins: as sending_status.
 */
create function console.guard(session_hash bytea, workspace_id text, max_rows integer default 50, at timestamptz default null) returns console.guard
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off set jit = off
as $$
declare
  v_now timestamptz;
  v_workspace invite.workspaces;
  v_guard console.guard;
begin
  perform console.require_role(guard.session_hash, guard.workspace_id, 'admin');
  v_now := invite.now(invite.owner_time(guard.at));
  select w.* into v_workspace from invite.workspaces as w where w.id = guard.workspace_id;
  v_guard.guarded_at := v_workspace.guarded_at;
  v_guard.released_at := v_workspace.guard_since;
  v_guard.may_release := console.may_release_guard(v_workspace, v_now);
  v_guard.has_reports := exists (
    select from invite.relay_events as e where e.invitation_id is not null and e.recorded_at > v_now - interval '7 days');
  v_guard.figures := (
    select coalesce(jsonb_agg(
      to_jsonb(f) || jsonb_build_object(
        'warn_share', l.warn_share, 'pause_share', l.pause_share, 'min_sent', l.min_sent, 'min_reports', l.min_reports)
      order by f.outcome desc, f.hours), '[]')
    from invite.guard_figures(guard.workspace_id, v_now) as f
    join invite.guard_limits as l on l.outcome = f.outcome and l.hours = f.hours);
  v_guard.hours := (
    select jsonb_agg(jsonb_build_object('at', h.at, 'sent', h.sent, 'bounced', h.bounced, 'complained', h.complained) order by h.at desc)
    from (
      select
        s.at, coalesce(sum(c.sent), 0)::bigint as sent, coalesce(sum(c.bounced), 0)::bigint as bounced,
        coalesce(sum(c.complained), 0)::bigint as complained
      from generate_series(date_trunc('hour', v_now) - interval '23 hours', v_now, interval '1 hour') as s (at)
      left join invite.guard_counts(guard.workspace_id, date_trunc('hour', v_now) - interval '23 hours') as c
        on c.starts_at >= s.at and c.starts_at < s.at + interval '1 hour'
      group by s.at
    ) as h);
  v_guard.reported := (
    select coalesce(jsonb_agg(to_jsonb(r) order by r.at desc, r.invitation_id desc), '[]')
    from (
      select o.invitation_id::text, i.email, o.outcome, o.at, s.id as survey_id, s.title
      from invite.surveys as s
      join invite.invitation_outcomes as o on o.survey_id = s.id and o.outcome in ('bounced', 'complained') and o.at > v_now - interval '2 days'
      join invite.invitations as i on i.id = o.invitation_id
      where s.workspace_id = guard.workspace_id
      order by o.at desc, o.invitation_id desc
      limit guard.max_rows
    ) as r);
  return v_guard;
end
$$;
comment on function console.guard(bytea, text, integer, timestamptz) is
  'How much of a workspace''s email bounces or is reported as spam, and what the guard did, for owners and admins.';
