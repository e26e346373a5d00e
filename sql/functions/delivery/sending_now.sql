/*
 * Workers may send to different relays, and have different limits, as while they are restarted one by one: this is what at least one of them can
 * send. So a worker whose relay is paused counts only if all are: until then the others alone decide what leaves, and what is too late.
 */
create or replace function invite.sending_now(at timestamptz) returns invite.sending
language sql stable
as $$
  select row(
    count(*) > 0,
    coalesce(bool_and(w.rate is not null and coalesce(w.allowance < 1 and w.allowance_at > sending_now.at - interval '1 minute', false)), false),
    case when bool_and(w.late_send_hours is not null) then max(w.late_send_hours) end,
    case when bool_and(w.is_paused) then min(w.paused_until) end,
    (array_agg(w.relay order by w.paused_until))[1],
    (array_agg(w.code order by w.paused_until))[1],
    case when bool_and(w.rate is not null) then max(w.rate) end
  )::invite.sending
  from (
    select
      w.rate, w.late_send_hours, r.id as relay, r.allowance, r.allowance_at, r.paused_until, coalesce(r.code, r.condition::text) as code,
      coalesce(r.paused_until > sending_now.at, false) as is_paused,
      bool_and(coalesce(r.paused_until > sending_now.at, false)) over () as all_paused
    from invite.workers as w
    left join invite.relays as r on r.id = w.relay
    where least(w.heartbeat_at, w.jobs_taken_at) > sending_now.at - invite.lost_after_seconds() * interval '1 second'
  ) as w
  where w.is_paused = w.all_paused
$$;
comment on function invite.sending_now(timestamptz) is 'What the running workers can send at a time.';
