create type console.webhook as (
  id uuid, url text, types text[], paused_at timestamptz, disabled_at timestamptz, failing_since timestamptz, rotating_until timestamptz,
  created_at timestamptz, pending integer, failed integer, format invite.webhook_format, survey_id text, survey_title text, below smallint
);
comment on type console.webhook is
  'A webhook endpoint, without its secrets. pending: events that it hasn''t accepted yet; failed: events that were given up in the last 24 '
  'hours; each counted up to max_count.';

/*
 * Pins: lookup plan, index order: webhook_deliveries_listed_idx, as in webhook_log.
 */
create function console.webhooks(
  session_hash bytea, workspace_id text, endpoint_id uuid default null, max_rows integer default 100, max_count integer default 1001
) returns setof console.webhook
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off set jit = off
as $$
begin
  perform console.require_role(webhooks.session_hash, webhooks.workspace_id, 'admin');
  return query
  select
    w.id, w.url, w.types::text[], w.paused_at, w.disabled_at, w.failing_since, w.previous_secret_until, w.created_at, p.pending, f.failed, w.format,
    w.survey_id, (select s.title from invite.surveys as s where s.id = w.survey_id), w.below
  from (
    select x.*
    from invite.webhook_endpoints as x
    where x.workspace_id = webhooks.workspace_id and x.deleted_at is null and (webhooks.endpoint_id is null or x.id = webhooks.endpoint_id)
    order by x.created_at, x.id
    limit webhooks.max_rows
  ) as w
  cross join lateral (
    select count(*)::integer as pending
    from (
      select from invite.webhook_deliveries as d where d.endpoint_id = w.id and d.status = 'pending' limit webhooks.max_count
    ) as l
  ) as p
  cross join lateral (
    select (count(*) filter (where l.attempted_at > invite.now() - interval '1 day'))::integer as failed
    from (
      select d.attempted_at
      from invite.webhook_deliveries as d
      where d.endpoint_id = w.id and d.status >= 'failed'
      order by d.status desc, d.id desc
      limit webhooks.max_count
    ) as l
  ) as f
  order by w.created_at, w.id;
end
$$;
comment on function console.webhooks(bytea, text, uuid, integer, integer) is 'The webhook endpoints of a workspace, or one of them, for owners and admins.';
