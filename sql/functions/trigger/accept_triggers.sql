/*
 * Accepts each request as one batch with its invitations and their jobs, or rejects it. One call, in one transaction, has all requests that
 * a server process has received meanwhile. They share the round trip, the commit and the notification, which cost more than the rows
 * (docs/performance.md).
 *
 * requests: [{"secret_hash", "recipients": [{"email", "name"?, "language"?, "time_zone"?, "metadata"?}], "subject"?, "message"?, "reminders"?,
 *   "metadata"?, "language"?, "time_zone"?, "send_in_seconds"?, "send_at"?, "idempotency_key"?, "payload_hash"?}]; hashes as "\x…".
 *   The caller has checked the requests: each has at least one recipient, and no recipient twice.
 * wait: whether to wait for a locked token or survey. Without wait, a request whose token or survey is locked has no result, and the caller
 * must send it again. If a call has several requests of one token, only the first is sure to have a result.
 * defer: whether the caller passes batches that are due now to queue_accepted; otherwise they are queued here.
 *
 * test: whether it is the request of a test workspace, which has its own time: see accept_test_trigger.
 *
 * Rejections are returned, never raised. A rejected or replayed request changes nothing; an accepted request only inserts rows. Pins:
 * lookup plan, generic plan.
 *
 * Locks: the tokens, by id if it waits (for no key update), each with its survey (for key share, as the foreign keys of its rows would);
 * the workspaces' quotas by id (advisory). The clock and the tokens are read after the locks: another request may have been accepted
 * before. If a request isn't rejected then, and its token is locked by another caller, it has no result.
 */
create or replace function invite.accept_triggers(
  requests jsonb, recipients_per_hour integer default 10000, wait boolean default false, at timestamptz default null,
  defer boolean default false, test boolean default false
) returns setof invite.trigger_result
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off set enable_material = off set enable_memoize = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
declare
  v_at constant timestamptz := coalesce(
    invite.owner_time(accept_triggers.at), case when accept_triggers.test then invite.test_time_of(accept_triggers.requests) end);
  v_now timestamptz := invite.clock(v_at);
  v_locked integer[];
  v_workspaces text[];
  v_checks invite.trigger_check[];
  v_results invite.trigger_result[];
begin
  if accept_triggers.wait then
    perform
    from (
      select distinct k.id
      from jsonb_array_elements(accept_triggers.requests) as n (request)
      cross join lateral invite.tokens_of((n.request ->> 'secret_hash')::bytea) as k
    ) as k
    join invite.trigger_tokens as t on t.id = k.id
    join invite.surveys as s on s.id = t.survey_id
    where not exists (select from invite.cooldown_end(t.id, t.cooldown_seconds, v_now))
    order by t.id
    for no key update of t
    for key share of s;
    v_now := invite.clock(v_at);
  end if;

  select array_agg(f.request), array_agg(distinct f.workspace_id)
  into v_locked, v_workspaces
  from (
    select distinct on (l.token_id) (n.number - 1)::integer as request, l.workspace_id
    from jsonb_array_elements(accept_triggers.requests) with ordinality as n (request, number)
    cross join lateral (
      select t.id as token_id, s.workspace_id
      from invite.tokens_of((n.request ->> 'secret_hash')::bytea) as k
      join invite.trigger_tokens as t on t.id = k.id
      join invite.surveys as s on s.id = t.survey_id
      -- Repeated requests during a cooldown take no lock.
      where not exists (select from invite.cooldown_end(t.id, t.cooldown_seconds, v_now))
      for no key update of t skip locked
      for key share of s skip locked
    ) as l
    order by l.token_id, n.number
  ) as f;
  perform pg_advisory_xact_lock(hashtextextended('invite.quota/' || w.id, 0)) from unnest(v_workspaces) as w (id);
  v_now := invite.clock(v_at);

  v_checks := invite.check_triggers(
    accept_triggers.requests, v_locked, invite.allowed_quota(accept_triggers.recipients_per_hour), v_now);
  return query select (c.result).* from unnest(v_checks) as c where (c.result).outcome is not null;

  v_results := invite.insert_batches(accept_triggers.requests, v_checks, v_now, accept_triggers.defer);
  return query select * from unnest(v_results);
end
$$;
comment on function invite.accept_triggers(jsonb, integer, boolean, timestamptz, boolean, boolean) is
  'Accepts or rejects each of several trigger requests. The results are in no order, and have the number of their request. See check_triggers '
  'for the order of rejections.';
