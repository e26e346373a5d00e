create type console.batch as (
  id uuid, token_name text, token_deleted boolean, status text, subject text, accepted_at timestamptz, scheduled_at timestamptz,
  reminders smallint[], recipients integer, responded integer, counts jsonb, message text, reminder_subject text, reminder_message text,
  metadata jsonb
);
comment on type console.batch is
  'A batch on its survey''s page. counts: its recipients by the state of their invitation, as in batch_overview, and by outcome. message, '
  'reminder_subject, reminder_message and metadata: null in a list.';

/*
 * First finds max_rows batches by their index, so that batch_overview counts the invitations of these batches only. Pins: offset 0 fence.
 */
create function console.batches(
  session_hash bytea, survey_id text, batch_id uuid default null, before_id uuid default null, max_rows integer default 20
) returns setof console.batch
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before invite.batches;
  v_ids uuid[];
begin
  perform console.require_survey_role(batches.session_hash, batches.survey_id, 'editor');
  if batches.batch_id is not null then
    v_ids := array(
      select b.id from invite.batches as b where b.id = batches.batch_id and b.survey_id = batches.survey_id);
    if cardinality(v_ids) = 0 then
      raise exception 'there is no batch % of this survey', batches.batch_id using errcode = 'P0002';
    end if;
  else
    select b.* into v_before
    from invite.batches as b
    where b.id = batches.before_id and b.survey_id = batches.survey_id;
    -- Pins: open bound.
    v_before.accepted_at := coalesce(v_before.accepted_at, 'infinity');
    v_ids := array(
      select b.id
      from invite.batches as b
      where b.survey_id = batches.survey_id
        and b.accepted_at <= v_before.accepted_at
        and (b.accepted_at < v_before.accepted_at or b.id < v_before.id)
      order by b.accepted_at desc, b.id desc
      limit batches.max_rows);
  end if;
  return query
    select
      o.id, t.name, t.deleted_at is not null, o.status, b.subject, o.accepted_at, o.scheduled_at, o.reminders, o.recipients,
      o.responded,
      jsonb_build_object(
        'queued', o.queued, 'waiting', o.waiting, 'sending', o.sending, 'sent', o.sent, 'failed', o.failed,
        'suppressed', o.suppressed, 'cancelled', o.cancelled, 'skipped', o.skipped, 'reminders_pending', o.reminders_pending,
        'reminders_failed', o.reminders_failed, 'deferred', o.deferred, 'delivered', o.delivered, 'bounced', o.bounced),
      d.message, d.reminder_subject, d.reminder_message, d.metadata
    from unnest(v_ids) with ordinality as l (id, place)
    cross join lateral (select v.* from invite.batch_overview as v where v.id = l.id offset 0) as o
    join invite.batches as b on b.id = l.id
    join invite.trigger_tokens as t on t.id = b.trigger_token_id
    left join invite.batches as d on d.id = batches.batch_id and d.id = b.id
    order by l.place;
end
$$;
comment on function console.batches(bytea, text, uuid, uuid, integer) is 'A page of a survey''s batches, newest first, or one of them.';
