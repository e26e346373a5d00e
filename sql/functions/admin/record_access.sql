/*
 * Reading and being refused can be repeated without end, and change nothing: the same by the same person within ten minutes is no new entry,
 * so that nobody fills the log or rolls other entries out of it. Pins: lookup plan.
 */
create or replace function invite.record_access(workspace_id text, actor text, action invite.audit_action, subject text, detail jsonb default '{}')
returns void
language sql volatile
set enable_seqscan = off set enable_bitmapscan = off set jit = off
as $$
  select invite.record_audit(
    record_access.workspace_id, record_access.actor, record_access.action, record_access.subject, record_access.detail)
  where not exists (
    select
    from invite.audit_log as a
    where a.workspace_id = record_access.workspace_id and a.actor = record_access.actor
      and a.action in ('answers_exported', 'addresses_exported', 'audit_exported', 'access_refused') and a.action = record_access.action
      and a.at > invite.clock() - interval '10 minutes'
      and a.subject is not distinct from record_access.subject and a.detail = jsonb_strip_nulls(record_access.detail)
  )
$$;
comment on function invite.record_access(text, text, invite.audit_action, text, jsonb) is
  'Adds an entry to the audit log about what was read in bulk or refused, unless the same was recorded in the last ten minutes.';
