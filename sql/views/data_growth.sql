-- Counts only the rows of the last day, from the end of an index; the total is the planner's estimate.
create or replace view invite.data_growth as
select
  g.name, greatest(c.reltuples, 0)::bigint as estimated_rows, pg_total_relation_size(c.oid) as bytes, g.oldest_at, g.last_day,
  coalesce(g.kept_days, invite.kept_days(r, invite.now())) as retention_days
from (
  select 'batches' as name, 'invite.batches'::regclass as oid, 'batches' as what, null::integer as kept_days,
    (select b.accepted_at from invite.batches as b order by b.id limit 1) as oldest_at,
    (select count(*) from invite.batches as b where b.id > (select invite.uuidv7(invite.now() - interval '1 day'))) as last_day
  union all
  select 'invitations', 'invite.invitations', 'batches', null,
    (select b.accepted_at from invite.invitations as i join invite.batches as b on b.id = i.batch_id order by i.id limit 1),
    (select coalesce(sum(b.recipients), 0) from invite.batches as b where b.id > (select invite.uuidv7(invite.now() - interval '1 day')))
  union all
  select 'messages', 'invite.messages', 'batches', null, null, null
  union all
  select 'addresses', 'invite.addresses', 'batches', null, null, null
  union all
  select 'invitation_outcomes', 'invite.invitation_outcomes', 'batches', null, null, null
  union all
  select 'search_terms', 'invite.search_terms', 'batches', null, null, null
  union all
  select 'persons', 'invite.persons', 'batches', null, null, null
  union all
  select 'comments', 'invite.comments', 'responses', null, null, null
  union all
  select 'responses', 'invite.responses', 'responses', null,
    (select x.submitted_at from invite.responses as x order by x.id limit 1),
    (
      select count(*) from invite.responses as x
      where x.id > coalesce((select o.id from invite.responses as o where o.submitted_at <= invite.now() - interval '1 day' order by o.id desc limit 1), 0)
    )
  union all
  select 'result_counts', 'invite.result_counts', 'responses', null, null, null
  union all
  select 'result_changes', 'invite.result_changes', 'responses', null, (select min(x.starts_at) from invite.result_changes as x), null
  union all
  select 'relay_events', 'invite.relay_events', 'relay_events', null,
    (select min(x.recorded_at) from invite.relay_events as x where x.invitation_id is not null),
    (select count(*) from invite.relay_events as x where x.invitation_id is not null and x.recorded_at > invite.now() - interval '1 day')
  union all
  select 'audit_log', 'invite.audit_log', 'audit_log', null,
    (select x.at from invite.audit_log as x order by x.id limit 1),
    (
      select count(*) from invite.audit_log as x
      where x.id > coalesce((select o.id from invite.audit_log as o where o.at <= invite.now() - interval '1 day' order by o.id desc limit 1), 0)
    )
  union all
  select 'new_events', 'invite.new_events', 'events', null, (select n.at from invite.new_events as n order by n.id limit 1), null
  union all
  select x.relname, x.oid, 'events', null, null, null
  from pg_inherits as h
  join pg_class as x on x.oid = h.inhrelid
  where h.inhparent = 'invite.events'::regclass
  union all
  select 'webhook_deliveries', 'invite.webhook_deliveries', 'events', null,
    (select x.created_at from invite.webhook_deliveries as x order by x.id limit 1),
    (
      select count(*) from invite.webhook_deliveries as x
      where x.id > coalesce((select o.id from invite.webhook_deliveries as o where o.created_at <= invite.now() - interval '1 day' order by o.id desc limit 1), 0)
    )
  union all
  select 'cap_slots', 'invite.cap_slots', null, 40, (select min(x.slot) from invite.cap_slots as x), null
  union all
  select 'cap_releases', 'invite.cap_releases', null, 1, null, null
  union all
  select 'uploads', 'invite.uploads', null, 90, (select min(x.created_at) from invite.uploads as x), null
  union all
  select 'upload_lines', 'invite.upload_lines', null, 7, null, null
  union all
  select 'upload_batches', 'invite.upload_batches', null, 90, null, null
  union all
  select 'notifications', 'invite.notifications', null, 7, (select min(x.ended_at) from invite.notifications as x where x.ended_at is not null), null
  union all
  select 'low_scores', 'invite.low_scores', null, 7, (select min(x.noticed_at) from invite.low_scores as x), null
  union all
  select 'idempotency_keys', 'invite.idempotency_keys', null, 1,
    (select min(x.created_at) from invite.idempotency_keys as x),
    (select count(*) from invite.idempotency_keys as x where x.created_at > invite.now() - interval '1 day')
  union all
  select 'rejections', 'invite.rejections', null, 7,
    (select min(x.hour) from invite.rejections as x),
    (select count(*) from invite.rejections as x where x.hour > invite.now() - interval '1 day')
  union all
  select 'sign_in_links', 'invite.sign_in_links', null, 1, (select min(x.requested_at) from invite.sign_in_links as x), (select count(*) from invite.sign_in_links as x)
  union all
  select 'sessions', 'invite.sessions', null, 14,
    (select min(x.created_at) from invite.sessions as x), (select count(*) from invite.sessions as x where x.created_at > invite.now() - interval '1 day')
  union all
  select 'test_invitations', 'invite.test_invitations', null, 1,
    (select min(x.requested_at) from invite.test_invitations as x), (select count(*) from invite.test_invitations as x)
  union all
  select 'suppressions', 'invite.suppressions', null, null, null, null
  union all
  select 'recipient_choices', 'invite.recipient_choices', 'batches', null, null, null
  union all
  select 'test_emails', 'invite.test_emails', 'batches', null, null, null
  union all
  select 'test_plans', 'invite.test_plans', 'batches', null, null, null
  union all
  select 'test_advances', 'invite.test_advances', null, 1, null, null
  union all
  select 'jobs', 'graphile_worker._private_jobs', 'failed_jobs', null,
    (select min(x.created_at) from graphile_worker._private_jobs as x),
    (select count(*) from graphile_worker._private_jobs as x where x.created_at > invite.now() - interval '1 day')
) as g
join pg_class as c on c.oid = g.oid
left join invite.retention as r on r.what::text = g.what;
comment on view invite.data_growth is 'The tables that grow: how large they are, how many rows the last day has added, and when rows are deleted.';
