/*
 * A page of a survey's batches, newest first, before a batch; or one batch. Their invitations are counted by batch_overview: max_rows
 * batches are found first, by their index, so that no others are counted;
 * offset 0 has the view looked up batch by batch, instead of counted as a whole and joined.
 * Called by: the HTTP process. Raises: P0002 if the batch asked for is not of the survey; P0002, 42501 (require_role).
 */
create or replace function invite.survey_batches(
  session_hash bytea, survey_id text, batch_id uuid default null, before_id uuid default null, max_rows integer default 20
) returns setof invite.batch_line
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before invite.batches;
  v_ids uuid[];
begin
  perform invite.require_survey_role(survey_batches.session_hash, survey_batches.survey_id, 'editor');
  if survey_batches.batch_id is not null then
    v_ids := array(
      select b.id from invite.batches as b where b.id = survey_batches.batch_id and b.survey_id = survey_batches.survey_id);
    if cardinality(v_ids) = 0 then
      raise exception 'there is no batch % of this survey', survey_batches.batch_id using errcode = 'P0002';
    end if;
  else
    select b.* into v_before
    from invite.batches as b
    where b.id = survey_batches.before_id and b.survey_id = survey_batches.survey_id;
    -- No `is null or`: in a plan that is kept for all calls each page would begin at the newest batch.
    v_before.accepted_at := coalesce(v_before.accepted_at, 'infinity');
    v_ids := array(
      select b.id
      from invite.batches as b
      where b.survey_id = survey_batches.survey_id
        and b.accepted_at <= v_before.accepted_at
        and (b.accepted_at < v_before.accepted_at or b.id < v_before.id)
      order by b.accepted_at desc, b.id desc
      limit survey_batches.max_rows);
  end if;
  return query
    select
      o.id, t.name, t.deleted_at is not null, o.status, b.subject, o.accepted_at, o.scheduled_at, o.reminder_days, o.recipients,
      o.responded,
      jsonb_build_object(
        'queued', o.queued, 'waiting', o.waiting, 'sending', o.sending, 'sent', o.sent, 'failed', o.failed,
        'suppressed', o.suppressed, 'cancelled', o.cancelled, 'reminders_pending', o.reminders_pending,
        'reminders_failed', o.reminders_failed),
      d.message, d.reminder_subject, d.reminder_message, d.metadata
    from unnest(v_ids) with ordinality as l (id, place)
    cross join lateral (select v.* from invite.batch_overview as v where v.id = l.id offset 0) as o
    join invite.batches as b on b.id = l.id
    join invite.trigger_tokens as t on t.id = b.trigger_token_id
    left join invite.batches as d on d.id = survey_batches.batch_id and d.id = b.id
    order by l.place;
end
$$;
comment on function invite.survey_batches(bytea, text, uuid, uuid, integer) is 'A page of a survey''s batches, newest first, or one of them.';
