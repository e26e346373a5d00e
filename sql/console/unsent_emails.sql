create type console.unsent_emails as (
  reason invite.unsent_reason, hold_reason invite.hold_reason, emails integer, oldest_due_at timestamptz, next_due_at timestamptz
);
comment on type console.unsent_emails is
  'Emails of a workspace that haven''t been sent for one reason; no reason: they are due, and weren''t judged. oldest_due_at: since when the first of them has been '
  'due; next_due_at: when the first of those that aren''t due yet will be.';

/*
 * What waits is counted by what holds its survey, in the index, as in waiting_invitations. What is queued is read in the order of
 * acceptance, up to max_read of each kind, and max_judged of those that are due are judged one by one, which takes some 50 µs each. So
 * millions that wait cost milliseconds, and reminders of next week hide no invitation that is due. Of more than max_read of a kind that were
 * accepted before, and aren't due yet, one that is due isn't seen.
 * Pins: lookup plan, index order (messages_listed_idx, which the status in a table names), offset 0 fence.
 */
create function console.unsent_emails(
  workspace_id text, at timestamptz, max_count integer, max_judged integer default 3000, max_read integer default 20000, max_surveys integer default 10000
) returns setof console.unsent_emails
language plpgsql stable
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off set jit = off
as $$
begin
  return query
  with own as materialized (
    select s.id, invite.hold_reason(s, w, p, g) as hold_reason
    from invite.workspaces as w
    join invite.plans as p on p.id = w.plan_id
    join invite.surveys as s on s.workspace_id = w.id
    cross join invite.settings as g
    where w.id = unsent_emails.workspace_id
    order by s.created_at desc, s.id
    limit unsent_emails.max_surveys
  ),
  queued as materialized (
    select m.*
    from unnest('{queued}'::invite.message_status[]) as q (status)
    cross join unnest(enum_range(null::invite.message_kind)) as k (kind)
    cross join lateral (
      select x.*
      from own as o
      cross join lateral (
        select
          m.invitation_id, m.not_before,
          case when m.not_before > unsent_emails.at then
            invite.departure_reason(m, null, false, false, null, false, null, null, null, unsent_emails.at)
          end as reason
        from invite.messages as m
        where m.survey_id = o.id and m.status = q.status and m.message_kind = k.kind and m.is_last and m.status <> 'sending'
        limit unsent_emails.max_read
      ) as x
      limit unsent_emails.max_read
    ) as m
  ),
  due as materialized (
    select q.invitation_id, q.not_before, row_number() over () as place from queued as q where q.reason is null limit unsent_emails.max_count
  ),
  counted as (
    select
      case when h.hold_reason is null then 'requeueing'::invite.unsent_reason else 'held' end as reason, h.hold_reason, c.emails, h.oldest,
      null::timestamptz as next
    from (
      select o.hold_reason, array_agg(o.id) as survey_ids, min(f.not_before) as oldest
      from own as o
      cross join lateral (
        select m.not_before from invite.messages as m where m.survey_id = o.id and m.status = 'waiting' order by m.due_at limit 1
      ) as f
      group by o.hold_reason
    ) as h
    cross join lateral (
      select count(*) as emails
      from (
        select
        from unnest(h.survey_ids) as s (id)
        join invite.messages as m on m.survey_id = s.id and m.status = 'waiting'
        limit unsent_emails.max_count
      ) as l
    ) as c
    union all
    select u.unsent_reason, u.hold_reason, count(*), min(u.due_at), null
    from due as d
    cross join lateral (
      select c.unsent_reason, c.hold_reason, c.due_at from invite.unsent_causes as c where c.id = d.invitation_id offset 0
    ) as u
    where d.place <= unsent_emails.max_judged
    group by u.unsent_reason, u.hold_reason
    union all
    select null, null, count(*), min(d.not_before), null from due as d where d.place > unsent_emails.max_judged having count(*) > 0
    union all
    select q.reason, null, count(*), null, min(q.not_before) from queued as q where q.reason is not null group by q.reason
  )
  select c.reason, c.hold_reason, sum(c.emails)::integer, min(c.oldest), min(c.next) from counted as c group by c.reason, c.hold_reason;
end
$$;
comment on function console.unsent_emails(text, timestamptz, integer, integer, integer, integer) is
  'Why emails of a workspace that are queued or held haven''t been sent, and how many, counted up to limits.';
