/*
 * Limits the deliveries that are being sent at the same time, over all workers. An endpoint has at most per_endpoint, but only one if it
 * has been failing for a minute or takes five seconds on average. A workspace and its test workspaces together have at most per_workspace, a
 * quarter of one worker's places. Workspaces take turns: the first delivery of each comes before the second of any. So endpoints that hang
 * don't delay the others, no matter how many there are. Within a share its workspaces take turns too: what an advance of a test clock causes
 * doesn't go before the real events.
 * Deliveries of a lost worker are due again when their lease ends. The receiver may therefore get an event twice, with the same id.
 *
 * Pins: lookup plan, index order. Locks: the deliveries (for no key update, skip locked).
 */
create or replace function invite.claim_webhooks(
  max_rows integer, lease_seconds integer, per_endpoint integer default 4, at timestamptz default null, per_workspace integer default 12
) returns setof invite.claimed_webhook
language plpgsql volatile
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off set jit = off
as $$
declare
  v_now timestamptz := invite.clock(claim_webhooks.at);
begin
  -- Checked before the locks are taken, because taking them writes.
  if not exists (
    select from invite.webhook_endpoints as w
    join invite.webhook_deliveries as d on d.endpoint_id = w.id
    where w.paused_at is null and w.disabled_at is null and d.status = 'pending' and d.due_at <= v_now
  ) then
    return;
  end if;

  return query
  with open as materialized (
    select
      w.id, w.workspace_id, k.share, l.leased,
      sum(l.leased) over (partition by w.workspace_id) as leased_in_workspace, sum(l.leased) over (partition by k.share) as leased_in_share,
      case when w.failing_since <= v_now - interval '1 minute' or w.mean_seconds > 5 then 1 else claim_webhooks.per_endpoint end as places
    from invite.webhook_endpoints as w
    cross join lateral (select coalesce(x.test_of, x.id) as share from invite.workspaces as x where x.id = w.workspace_id and x.moved_to is null) as k
    cross join lateral (
      select count(*) as leased from invite.webhook_deliveries as d where d.endpoint_id = w.id and d.leased_until > v_now
    ) as l
    where w.paused_at is null and w.disabled_at is null
  ),
  due as (
    select s.id
    from (
      select
        r.id, r.due_at,
        r.leased_in_share + row_number() over (partition by r.share order by r.turn_in_workspace, r.due_at, r.id) as turn
      from (
        select
          f.id, f.due_at, o.share, o.leased_in_share,
          o.leased_in_workspace + row_number() over (partition by o.workspace_id order by f.due_at, f.id) as turn_in_workspace
        from open as o
        cross join lateral (
          select d.id, d.due_at
          from invite.webhook_deliveries as d
          where d.endpoint_id = o.id and d.status = 'pending' and d.due_at <= v_now
          order by d.due_at
          limit greatest(least(o.places - o.leased, claim_webhooks.per_workspace - o.leased_in_share), 0)
          for no key update skip locked
        ) as f
      ) as r
    ) as s
    where s.turn <= claim_webhooks.per_workspace
    order by s.turn, s.due_at
    limit claim_webhooks.max_rows
  ),
  claimed as (
    update invite.webhook_deliveries as d
    set
      attempts = d.attempts + 1, attempted_at = v_now,
      due_at = v_now + claim_webhooks.lease_seconds * interval '1 second', leased_until = v_now + claim_webhooks.lease_seconds * interval '1 second'
    from due as f
    where d.id = f.id
    returning d.*
  )
  select
    c.id, c.attempts, w.id, w.url,
    array_remove(array[w.secret, case when w.previous_secret_until > v_now then w.previous_secret end], null), c.event_id,
    (case
      when w.format = 'slack' then invite.low_score_message(w, c.event_position)
      when c.event_position is null then jsonb_build_object(
        'id', c.event_id, 'type', 'webhook.test', 'version', 1,
        'timestamp', to_char(c.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'data', jsonb_build_object('workspace', w.workspace_id))
      else (
        select invite.event_envelope(e)
        from invite.list_events(c.event_position - 1, 1, w.workspace_id) as e
        where e.position = c.event_position
      )
    end)::text,
    w.format
  from claimed as c
  join invite.webhook_endpoints as w on w.id = c.endpoint_id;
end
$$;
comment on function invite.claim_webhooks(integer, integer, integer, timestamptz, integer) is
  'Claims events that are due at endpoints, and returns what is needed to send them.';
