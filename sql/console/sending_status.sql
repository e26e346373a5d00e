create type console.sending_status as (
  since timestamptz, requests integer, recipients integer, sent integer, failed integer, sending integer, unsent jsonb, failures jsonb,
  has_worker boolean, relays jsonb, webhooks jsonb
);
comment on type console.sending_status is
  'What is going on with the email of a workspace. since: the beginning of a quarter hour, an hour ago or a little more; requests, their recipients, sent '
  '(invitations, without reminders) and failed (emails): since then. sending: emails that a worker has now. unsent: console.unsent_emails. failures: the '
  'emails that failed since yesterday, [{survey_id, title, code, emails}], the most first. has_worker, relays: whether a worker runs, and the relays that are '
  'paused or at fault, [{id, condition, since, paused_until, code}]; null in a test workspace, which needs neither. webhooks: the endpoints that fail or are disabled, '
  '[{id, url, failing_since, disabled_at}].';

/*
 * Reads nothing of other workspaces but what workers have now. All that may be long is counted up to max_count, of the newest 10,000 surveys.
 * What was sent is counted by quarter hours, as for Results. Pins: lookup plan, index order, offset 0 fence.
 */
create function console.sending_status(
  session_hash bytea, workspace_id text, max_count integer default 10001, max_rows integer default 10, at timestamptz default null
) returns console.sending_status
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off set jit = off
as $$
declare
  v_now timestamptz;
  v_status console.sending_status;
begin
  perform console.require_role(sending_status.session_hash, sending_status.workspace_id, 'admin');
  v_now := invite.now_of(sending_status.workspace_id, invite.owner_time(sending_status.at));
  v_status.since := date_bin('15 minutes', v_now - interval '1 hour', '2000-01-01 00:00Z');
  with own as materialized (
    select s.id, s.title
    from invite.surveys as s
    where s.workspace_id = sending_status.workspace_id
    order by s.created_at desc, s.id
    limit 10000
  ),
  failed as materialized (
    select o.id as survey_id, o.title, m.last_error_code, m.failed_at
    from own as o
    cross join lateral (
      select x.last_error_code, x.failed_at
      from invite.messages as x
      where x.survey_id = o.id and x.status = 'failed'
      order by x.invitation_id desc
      limit sending_status.max_count
    ) as m
    limit 5 * sending_status.max_count
  )
  select
    a.requests, a.recipients, t.sent, (select count(*) from failed as f where f.failed_at >= v_status.since),
    (
      select count(*)
      from invite.messages as m
      join invite.surveys as s on s.id = m.survey_id
      where m.status = 'sending' and s.workspace_id = sending_status.workspace_id
    ),
    (select coalesce(jsonb_agg(to_jsonb(l) - 'place' order by l.place), '[]') from (
      select f.survey_id, f.title, f.last_error_code as code, count(*) as emails, row_number() over (order by count(*) desc, f.survey_id) as place
      from failed as f
      where f.failed_at >= v_now - interval '1 day'
      group by f.survey_id, f.title, f.last_error_code
      order by place
      limit sending_status.max_rows
    ) as l)
  into v_status.requests, v_status.recipients, v_status.sent, v_status.failed, v_status.sending, v_status.failures
  from (
    select count(*) as requests, coalesce(sum(b.recipients), 0) as recipients
    from (
      select x.recipients
      from own as o
      join invite.batches as x on x.survey_id = o.id and x.accepted_at >= v_status.since
      limit sending_status.max_count
    ) as b
  ) as a
  cross join (
    select coalesce(sum(n.number), 0) as sent
    from (
      select c.number
      from own as o
      join invite.result_counts as c on c.survey_id = o.id and not c.whole_day and c.starts_at >= v_status.since and c.question = '' and c.value = 'sent'
      union all
      select c.number
      from own as o
      join invite.result_changes as c on c.survey_id = o.id
      where c.id >= (select p.read_from from invite.queue_progress as p where p.queue = 'result_changes')
        and c.question = '' and c.value = 'sent' and c.starts_at >= v_status.since
    ) as n
  ) as t;
  v_status.unsent := (
    select coalesce(jsonb_agg(to_jsonb(u) order by u.emails desc, u.reason), '[]')
    from console.unsent_emails(sending_status.workspace_id, v_now, sending_status.max_count) as u);
  if not exists (select from invite.workspaces as w where w.id = sending_status.workspace_id and w.test_of is not null) then
    v_status.has_worker := (invite.sending_now(v_now)).is_alive;
    v_status.relays := (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', r.id, 'condition', r.condition, 'since', r.since, 'paused_until', r.paused_until, 'code', r.code) order by r.condition desc, r.id), '[]')
      from invite.active_relays as r
      where r.condition = 'fault' or r.condition = 'busy' and r.paused_until > v_now);
  end if;
  v_status.webhooks := (
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', w.id, 'url', w.url, 'failing_since', w.failing_since, 'disabled_at', w.disabled_at) order by w.created_at, w.id), '[]')
    from (
      select x.*
      from invite.webhook_endpoints as x
      where x.workspace_id = sending_status.workspace_id and x.deleted_at is null
        and (x.disabled_at is not null or x.failing_since is not null and x.paused_at is null)
      order by x.created_at, x.id
      limit sending_status.max_rows
    ) as w);
  return v_status;
end
$$;
comment on function console.sending_status(bytea, text, integer, integer, timestamptz) is
  'What is accepted, sent and waiting in a workspace, why, and what fails, for owners and admins.';
