/*
 * A window begins with a quarter hour, and after a release with the next one: 1 hour is at most 75 minutes. So the reports of a window are about
 * the emails of the same window.
 */
create or replace function invite.guard_figures(workspace_id text, at timestamptz default null) returns setof invite.guard_figure
language sql stable
as $$
  with clock as materialized (select invite.now(guard_figures.at) as now),
  windows as materialized (
    select
      l.*,
      greatest(
        date_bin('15 minutes', n.now - l.hours * interval '1 hour', '2000-01-01 00:00Z'),
        date_bin('15 minutes', w.guard_since, '2000-01-01 00:00Z') + interval '15 minutes') as since
    from invite.guard_limits as l
    cross join clock as n
    join invite.workspaces as w on w.id = guard_figures.workspace_id
  ),
  counts as materialized (
    select c.* from invite.guard_counts(guard_figures.workspace_id, (select min(x.since) from windows as x)) as c
  )
  select
    x.outcome, x.hours, f.sent, f.reports,
    case
      when f.sent < x.min_sent or f.reports < x.min_reports then 'few'
      when f.reports >= x.pause_share * f.sent then 'pause'
      when f.reports >= x.warn_share * f.sent then 'warn'
      else 'good'
    end
  from windows as x
  cross join lateral (
    select
      coalesce(sum(c.sent), 0)::bigint as sent,
      coalesce(sum(case x.outcome when 'bounced' then c.bounced else c.complained end), 0)::bigint as reports
    from counts as c
    where c.starts_at >= x.since
  ) as f
  order by x.outcome desc, x.hours
$$;
comment on function invite.guard_figures(text, timestamptz) is 'How a workspace stands to each limit of the guard.';
