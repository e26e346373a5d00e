/*
 * Workers may send to different relays, and have different limits: what one of them can send will leave.
 */
create or replace function invite.sending_now(at timestamptz) returns invite.sending
language sql stable
as $$
  select row(
    count(*) > 0,
    coalesce(bool_and(coalesce(w.rate is not null and r.allowance < 1 and r.allowance_at > sending_now.at - interval '1 minute', false)), false),
    case when bool_and(w.late_send_hours is not null) then sending_now.at - max(w.late_send_hours) * interval '1 hour' end,
    case when bool_and(coalesce(r.paused_until > sending_now.at, false)) then min(r.paused_until) end,
    (array_agg(r.id order by r.paused_until))[1],
    (array_agg(coalesce(r.code, r.condition::text) order by r.paused_until))[1]
  )::invite.sending
  from invite.workers as w
  left join invite.relays as r on r.id = w.relay
  where least(w.heartbeat_at, w.jobs_taken_at) > sending_now.at - invite.lost_after_seconds() * interval '1 second'
$$;
comment on function invite.sending_now(timestamptz) is 'What the running workers can send at a time.';
