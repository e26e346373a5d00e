/*
 * One look at each contact's next messages, as a claim would take it: departure_reason judges them, and each is given what becomes of it. The next
 * are those that are looked at first, and all that are looked at before any of the contact's can leave. Of several that are looked at together, the
 * oldest may leave, and the others rest for half a minute.
 *
 * A message that has no other to rest for leaves when its wait ends, so it needs no second look.
 *
 * Hours: clocks and hours change at whole quarters, so each quarter of an hour is looked up once, for each list of time zones.
 *
 * Pins: enable_nestloop = off, because how long the list is isn't known when the plan is made; work_mem: 100,000 messages are sorted in memory.
 */
create or replace function invite.look_at_pending(pending invite.pending_message[], workspace invite.workspaces)
returns setof invite.pending_message
language plpgsql stable
set enable_nestloop = off set jit = off set work_mem = '64MB'
as $$
declare
  v_hours constant int4multirange := workspace.open_hours;
  v_closed constant datemultirange := workspace.closed_days;
  v_has_hours constant boolean := num_nonnulls(v_hours, v_closed) > 0;
  v_due invite.messages;
  v_sending invite.sending;
begin
  v_due.status := 'queued';
  v_due.not_before := '-infinity';
  v_due.message_kind := 'invitation';
  v_sending.is_alive := true;
  return query
  with looked as (
    select
      p.*, count(*) over c = 1 as is_alone, row_number() over o > 1 as is_behind,
      p.look_at = min(p.look_at) over c
        or p.look_at < min(
          greatest(p.look_at, case when p.unconfirmed_since is null then p.left_at + p.rest_days * interval '24 hours' end)) over c as is_next,
      max(case when p.unconfirmed_since is not null then p.look_at end) over c as unconfirmed_look_at
    from unnest(look_at_pending.pending) as p
    window o as (partition by p.contact, p.look_at order by p.due_at, p.invitation_id), c as (partition by p.contact)
  ),
  resting as (
    select
      l.*, case when n.rests_until > l.rests_at_most_until then 'infinity' else n.rests_until end as rests_until
    from looked as l
    cross join lateral (
      select case when l.rest_days is not null and l.unconfirmed_since is null then
        greatest(
          l.left_at + l.rest_days * interval '24 hours',
          case when l.is_behind or l.unconfirmed_look_at is not null then l.look_at + interval '30 seconds' end)
      end as rests_until
    ) as n
  ),
  starting as materialized (
    select
      r.*, f.from_at,
      case when r.is_next and v_has_hours and r.unconfirmed_since is null then date_bin('15 minutes', f.from_at, to_timestamp(0)) end as quarter
    from resting as r
    cross join lateral (
      select case when r.rests_until > r.look_at + interval '30 seconds' then r.rests_until else r.look_at end as from_at
    ) as f
  ),
  zones as materialized (
    select z.time_zones, invite.zone_of(variadic z.time_zones) as name
    from (select distinct s.time_zones from starting as s where s.quarter is not null) as z
  ),
  opened as materialized (
    select q.time_zones, q.quarter, invite.next_open(v_hours, v_closed, z.name, q.quarter) as at
    from (select distinct s.time_zones, s.quarter from starting as s where s.quarter is not null) as q
    join zones as z on z.time_zones = q.time_zones
  ),
  waiting as (
    select
      s.*,
      case
        when s.unconfirmed_since is not null then null
        when s.quarter is null or s.quarter = o.at then s.from_at
        else coalesce(o.at, 'infinity')
      end as until
    from starting as s
    left join opened as o on o.time_zones = s.time_zones and o.quarter = s.quarter
  ),
  judged as (
    select
      w.*,
      case when w.is_next then
        invite.departure_reason(
          v_due, w.responded_at, w.is_suppressed, w.has_declined, case when w.is_rejected then 'invitation'::invite.message_kind end, w.is_held,
          w.deadline, row(coalesce(case when w.until > w.look_at then w.until end, w.rests_until),
            case when w.from_at > w.look_at or not w.until > w.look_at then 'resting' else 'outside_hours' end::invite.unsent_reason)::invite.wait,
          v_sending, w.look_at)
      end as verdict
    from waiting as w
  ),
  decided as (
    select
      j.*,
      case
        when j.verdict = 'ready' then j.look_at
        when d.leaves_then and not coalesce(j.until > (j.deadline).at, false) then j.until
      end as left_now_at,
      case
        when d.leaves_then and j.until > (j.deadline).at then (j.deadline).reason
        when j.verdict in ('ready', 'resting', 'outside_hours') then null
        when j.unconfirmed_since is not null and j.verdict not in ('responded', 'suppressed', 'content_rejected', 'held') then 'failed'
        else j.verdict
      end as ended_by
    from judged as j
    cross join lateral (
      select coalesce(j.is_alone and j.verdict in ('resting', 'outside_hours') and j.until > j.look_at, false) as leaves_then
    ) as d
  )
  select
    d.invitation_id, d.contact, d.due_at, d.planned_at,
    case
      when d.verdict not in ('resting', 'outside_hours') or d.verdict is null then d.look_at
      when d.until > d.look_at then d.until
      -- Every half a minute, until what may have left is tried again.
      when d.unconfirmed_look_at > d.look_at then
        d.look_at + interval '30 seconds' * (floor(extract(epoch from d.unconfirmed_look_at - d.look_at) / 30) + 1)
      else d.rests_until
    end,
    greatest(
      d.left_at,
      -- What may have left has left for the others: until it ended, or is held.
      max(case
        when d.unconfirmed_since is null or d.ended_by is null then d.left_now_at
        when d.ended_by = 'held' then d.unconfirmed_since
        else d.look_at
      end) over (partition by d.contact)), d.rests_at_most_until, d.responded_at, d.unconfirmed_since,
    d.left_now_at, d.rest_days, d.number,
    d.is_asked, d.is_held, d.is_suppressed, d.has_declined, d.is_rejected, d.ended_by, d.deadline, d.time_zones, d.promised_at, d.sender_domain, d.recipient_domain, d.is_small, d.is_capped
  from decided as d;
end
$$;
comment on function invite.look_at_pending(invite.pending_message[], invite.workspaces) is
  'What becomes of each contact''s next messages when a worker looks at them; the others as they are.';
