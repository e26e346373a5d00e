/*
 * Of the first max_count that wait, and of the first max_count that are due: a million that wait for one survey would take minutes.
 */
create or replace function invite.unsent_reasons(max_count integer default 10000, at timestamptz default null)
returns table (unsent_reason invite.unsent_reason, hold_reason invite.hold_reason, emails bigint, oldest_due_at timestamptz)
language sql stable
as $$
  select u.unsent_reason, u.hold_reason, count(*), min(u.due_at)
  from (
    (
      select m.invitation_id, m.number from invite.messages as m
      where m.status = 'waiting' and not invite.is_test(m.invitation_id)
      limit unsent_reasons.max_count
    )
    union all
    (
      select m.invitation_id, m.number from invite.messages as m
      where m.status = 'queued' and m.sweep_at <= invite.now(unsent_reasons.at) + interval '2 minutes' and m.not_before <= invite.now(unsent_reasons.at)
      order by m.sweep_at
      limit unsent_reasons.max_count
    )
  ) as d
  cross join lateral (
    select c.unsent_reason, c.hold_reason, c.due_at from invite.unsent_causes as c where c.id = d.invitation_id offset 0
  ) as u
  group by 1, 2
  order by 3 desc, 1
$$;
comment on function invite.unsent_reasons(integer, timestamptz) is
  'Why emails that are due have not left, how many for each reason, and since when the oldest; counted up to a limit.';
