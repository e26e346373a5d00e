/*
 * The first step deletes the tokens and disables the survey: from then on it accepts no requests and no responses, and sends nothing. Each
 * call continues where the previous one stopped. Invitations that a worker is sending stay until they are settled.
 *
 * Pins: batch scan. Locks: the tokens by id, the uploads, the survey, then as lock_invitations; or, in a step that deletes nothing before them, the choices
 * about the survey, by address.
 */
create or replace function invite.delete_survey(survey_id text, max_rows integer default 2000) returns invite.delete_result
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off set jit = off
as $$
declare
  v_survey invite.surveys;
  v_ids bigint[];
  v_batches uuid[];
  v_number integer;
  v_result invite.delete_result := row(0, 0, true);
begin
  perform invite.require_survey(delete_survey.survey_id, old_copy => true);
  perform from invite.trigger_tokens as t where t.survey_id = delete_survey.survey_id order by t.id for update;
  delete from invite.uploads as u where u.survey_id = delete_survey.survey_id;
  select s.* into v_survey from invite.surveys as s where s.id = delete_survey.survey_id for update;
  update invite.surveys as s
  set disabled_at = coalesce(s.disabled_at, invite.clock()), deletion_started_at = coalesce(s.deletion_started_at, invite.clock())
  where s.id = v_survey.id and num_nulls(s.disabled_at, s.deletion_started_at) > 0;
  update invite.trigger_tokens as t set deleted_at = invite.clock()
  where t.survey_id = delete_survey.survey_id and t.deleted_at is null;
  if v_survey.deletion_started_at is null then
    perform invite.record_audit(
      v_survey.workspace_id, invite.current_actor(), 'deletion_started', v_survey.title,
      jsonb_build_object(
        'survey', v_survey.id, 'batches', count(*), 'invitations', coalesce(sum(b.recipients), 0),
        'responses', (select count(*) from invite.responses as r where r.survey_id = v_survey.id)))
    from invite.batches as b
    where b.survey_id = v_survey.id;
  end if;

  v_ids := array(
    select o.id
    from invite.batches as b
    cross join lateral (
      select x.id
      from invite.invitations as x
      where x.batch_id = b.id
        and not exists (select from invite.messages as m where m.invitation_id = x.id and m.status::text = 'sending')
      offset 0
    ) as o
    where b.survey_id = v_survey.id
    order by b.accepted_at desc
    limit delete_survey.max_rows);
  v_ids := invite.lock_invitations(v_ids, true);
  with gone as (
    delete from invite.invitations as i
    where i.id = any (v_ids)
      and not exists (select from invite.messages as m where m.invitation_id = i.id and m.status::text = 'sending')
    returning i.batch_id
  )
  select count(*), array_agg(distinct g.batch_id) into v_result.deleted, v_batches
  from gone as g;
  delete from invite.batches as b
  where b.id = any (v_batches) and not exists (select from invite.invitations as i where i.batch_id = b.id);

  delete from invite.responses as r
  where r.id = any (array(
    select x.id from invite.responses as x where x.survey_id = v_survey.id limit delete_survey.max_rows - v_result.deleted));
  get diagnostics v_number = row_count;
  v_result.deleted := v_result.deleted + v_number;
  if v_result.deleted >= delete_survey.max_rows then
    return v_result;
  end if;
  -- The changes first: a change that fold_result_counts is just adding up is then found as a count.
  delete from invite.result_changes as c
  where c.id >= (select p.read_from from invite.queue_progress as p where p.queue = 'result_changes') and c.survey_id = v_survey.id;
  delete from invite.result_counts as c
  where c.survey_id = v_survey.id and (c.whole_day, c.starts_at, c.question, c.value) in (
    select x.whole_day, x.starts_at, x.question, x.value
    from invite.result_counts as x
    where x.survey_id = v_survey.id
    limit delete_survey.max_rows - v_result.deleted);
  get diagnostics v_number = row_count;
  v_result.deleted := v_result.deleted + v_number;
  if v_result.deleted >= delete_survey.max_rows or v_result.deleted > 0 and exists (
    select from invite.recipient_choices as c where c.workspace_id = v_survey.workspace_id and c.survey_id = v_survey.id
  ) then
    return v_result;
  end if;

  delete from invite.recipient_choices as c
  where c.workspace_id = v_survey.workspace_id and c.survey_id = v_survey.id and c.email = any (array(
    select x.email
    from invite.recipient_choices as x
    where x.workspace_id = v_survey.workspace_id and x.survey_id = v_survey.id
    order by x.email
    limit delete_survey.max_rows
    for update));
  get diagnostics v_number = row_count;
  v_result.deleted := v_result.deleted + v_number;
  if v_number >= delete_survey.max_rows then
    return v_result;
  end if;

  -- prune_batches may have deleted the other invitations of these batches at the same moment.
  delete from invite.batches as b
  where b.survey_id = v_survey.id and not exists (select from invite.invitations as i where i.batch_id = b.id offset 0);
  v_result.sending := (select count(*) from invite.messages as m where m.survey_id = v_survey.id and m.status = 'sending');
  if not exists (select from invite.batches as b where b.survey_id = v_survey.id) then
    delete from invite.trigger_tokens as t where t.survey_id = v_survey.id;
    delete from invite.surveys as s where s.id = v_survey.id;
    perform invite.record_audit(
      v_survey.workspace_id, invite.current_actor(), 'survey_deleted', v_survey.title, jsonb_build_object('survey', v_survey.id));
    v_result.more := false;
  end if;
  return v_result;
end
$$;
comment on function invite.delete_survey(text, integer) is
  'One bounded step of deleting a survey with all that belongs to it; call again while more is true.';
