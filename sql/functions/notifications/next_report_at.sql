/*
 * No zone changes its clock at eight on a Monday, so the local time exists, once.
 */
create or replace function invite.next_report_at(time_zone text, at timestamptz) returns timestamptz
language sql stable parallel safe
as $$
  select min(d.due_at)
  from (
    select (date_trunc('week', next_report_at.at at time zone next_report_at.time_zone) + n * interval '7 days' + interval '8 hours')
      at time zone next_report_at.time_zone as due_at
    from generate_series(0, 1) as n
  ) as d
  where d.due_at > next_report_at.at
$$;
comment on function invite.next_report_at(text, timestamptz) is 'The next Monday at 8:00 in a time zone, after a time: when a weekly report is sent.';
