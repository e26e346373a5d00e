/*
 * status: of the response; null: there was none, and error_code says why. schedule: seconds to wait before each further attempt; after the
 * last attempt the delivery has failed. retry_after_seconds: how long the endpoint asked to wait, at most a day.
 *
 * 2xx is success. 410 disables the endpoint. When an endpoint has failed for a day, its owners get one email. The result of an attempt
 * counts only if no later attempt has begun. A receiver may quote the address: nothing of the answer is kept for an erased invitation.
 *
 * Locks: the invitation (for share: an erasure is before it or after it); the delivery, then its endpoint, only where that changes (for no
 * key update); then the job that wakes for it.
 */
create or replace function invite.settle_webhook(
  delivery_id bigint, attempts integer, schedule integer[], status integer default null, response_start text default null,
  error_code text default null, retry_after_seconds integer default null, at timestamptz default null
) returns void
language plpgsql volatile
as $$
declare
  v_now timestamptz := invite.clock(settle_webhook.at);
  v_next interval := (1 + random() / 5) * settle_webhook.schedule[settle_webhook.attempts] * interval '1 second';
  v_status invite.webhook_status := case
    when settle_webhook.status between 200 and 299 then 'delivered'
    when settle_webhook.status = 410 or v_next is null or settle_webhook.error_code = 'event_expired' then 'failed'
    else 'pending'
  end;
  v_due timestamptz := date_trunc('second', v_now + greatest(
    v_next, least(coalesce(settle_webhook.retry_after_seconds, 0), 86400) * interval '1 second')) + interval '1 second';
  v_endpoint_id uuid;
  v_seconds real;
  v_erased boolean;
begin
  if settle_webhook.response_start is not null then
    select i.erased_at is not null into v_erased
    from invite.invitations as i
    where i.id = (
      select e.invitation_id
      from invite.webhook_deliveries as d
      join invite.events as e on e.position = d.event_position and e.id = d.event_id
      where d.id = settle_webhook.delivery_id
    )
    for share;
  end if;
  update invite.webhook_deliveries as d
  set
    status = v_status,
    due_at = case when v_status = 'pending' then v_due end,
    leased_until = null,
    response_status = settle_webhook.status, response_start = case when v_erased is not true then left(settle_webhook.response_start, 500) end, error_code = settle_webhook.error_code
  where d.id = settle_webhook.delivery_id and d.attempts = settle_webhook.attempts and d.status = 'pending'
  returning d.endpoint_id, extract(epoch from v_now - d.attempted_at) into v_endpoint_id, v_seconds;
  if not found then
    return;
  end if;
  -- An endpoint that responds within a second, as most do, needs no update.
  update invite.webhook_endpoints as w
  set mean_seconds = 0.8 * w.mean_seconds + 0.2 * v_seconds
  where w.id = v_endpoint_id and greatest(w.mean_seconds, v_seconds) > 1;
  if v_status = 'delivered' then
    update invite.webhook_endpoints as w
    set failing_since = null, warned_at = null
    where w.id = v_endpoint_id and w.failing_since is not null;
    return;
  end if;
  update invite.webhook_endpoints as w
  set
    failing_since = coalesce(w.failing_since, v_now),
    disabled_at = case when settle_webhook.status = 410 then v_now else w.disabled_at end
  where w.id = v_endpoint_id and (w.failing_since is null or settle_webhook.status = 410);
  update invite.webhook_endpoints as w
  set warned_at = v_now
  where w.id = v_endpoint_id and w.failing_since <= v_now - interval '1 day' and w.warned_at is null;
  if found then
    perform graphile_worker.add_job('send_webhook_warning', json_build_object('endpoint_id', v_endpoint_id));
  end if;
  if v_status = 'pending' then
    perform invite.wake_webhooks(v_due);
  end if;
end
$$;
comment on function invite.settle_webhook(bigint, integer, integer[], integer, text, text, integer, timestamptz) is
  'Records the result of an attempt to send an event to an endpoint, and when the next attempt is.';
