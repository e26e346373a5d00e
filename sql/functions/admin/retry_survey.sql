/*
 * A step takes at most max_rows failed invitations after after_id, in the order of their ids. So each is taken once, and an invitation that
 * fails again meanwhile isn't retried without end.
 */
create or replace function invite.retry_survey(
  survey_id text, after_id bigint default 0, max_rows integer default 10000, at timestamptz default null
) returns invite.retry_result
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_failed bigint[];
  v_result invite.retry_result;
begin
  perform invite.require_survey(retry_survey.survey_id);

  v_failed := array(
    select m.invitation_id from invite.messages as m
    where m.survey_id = retry_survey.survey_id and m.status = 'failed' and m.invitation_id > retry_survey.after_id
    order by m.invitation_id
    limit retry_survey.max_rows
  );

  v_result := invite.retry_invitations(v_failed, retry_survey.at);
  perform invite.record_message_audit(retry_survey.survey_id, 'survey_retried', retry_survey.survey_id, v_result.queued);
  v_result.next_id := case when cardinality(v_failed) >= retry_survey.max_rows then v_failed[cardinality(v_failed)] end;
  return v_result;
end
$$;
comment on function invite.retry_survey(text, bigint, integer, timestamptz) is
  'One bounded step of queueing the failed messages of a survey again; call again with after_id => next_id while that is not null.';
