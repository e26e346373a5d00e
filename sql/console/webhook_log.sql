create type console.webhook_delivery as (
  id bigint, event_id uuid, type text, status invite.webhook_status, pending_reason text, attempts smallint, attempted_at timestamptz,
  due_at timestamptz, response_status smallint, response_start text, error_code text, created_at timestamptz
);
comment on type console.webhook_delivery is 'The delivery of an event to an endpoint. type: null if the event is no longer kept.';

/*
 * Reads at most max_rows of each status. The condition on the status is a range, and the status is part of the order: so only
 * webhook_deliveries_listed_idx gives that order. Pins: lookup plan, index order.
 */
create function console.webhook_log(
  session_hash bytea, workspace_id text, endpoint_id uuid, status invite.webhook_status, before_id bigint, max_rows integer
) returns setof console.webhook_delivery
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off set jit = off
as $$
declare
  v_ids bigint[];
begin
  perform console.require_role(webhook_log.session_hash, webhook_log.workspace_id, 'admin');
  v_ids := array(
    select l.id
    from unnest(enum_range(null::invite.webhook_status)) as k (status)
    cross join lateral (
      select d.id
      from invite.webhook_deliveries as d
      where d.endpoint_id = webhook_log.endpoint_id
        and d.status >= k.status and (d.status, d.id) < (k.status, coalesce(webhook_log.before_id, 9223372036854775807))
      order by d.status desc, d.id desc
      limit webhook_log.max_rows
    ) as l
    where webhook_log.status is null or k.status = webhook_log.status
    order by l.id desc
    limit webhook_log.max_rows);
  return query
  select
    d.id, d.event_id,
    case when d.event_position is null then 'webhook.test' else (
      select e.type::text from invite.events as e where e.position = d.event_position
    ) end,
    d.status, d.pending_reason, d.attempts, d.attempted_at, d.due_at, d.response_status, d.response_start, d.error_code, d.created_at
  from invite.webhook_log as d
  where d.id = any (v_ids) and d.workspace_id = webhook_log.workspace_id
  order by d.id desc;
end
$$;
comment on function console.webhook_log(bytea, text, uuid, invite.webhook_status, bigint, integer) is 'The deliveries to an endpoint, newest first.';
