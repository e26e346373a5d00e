/*
 * The first pause since then, so one that another followed isn't taken for it. Pins: index order.
 */
create function console.paused_by(workspace_id text, scope text, subject text, since timestamptz) returns text
language sql stable
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set jit = off
as $$
  select a.actor
  from invite.audit_log as a
  where a.workspace_id = paused_by.workspace_id and a.action = 'sending_paused' and a.at >= paused_by.since
    and a.detail ->> 'scope' = paused_by.scope and (paused_by.scope <> 'survey' or a.subject = paused_by.subject)
  order by a.at, a.id
  limit 1
$$;
comment on function console.paused_by(text, text, text, timestamptz) is
  'Who paused sending, by the audit log; null: it has no entry, or the survey has another title now.';
