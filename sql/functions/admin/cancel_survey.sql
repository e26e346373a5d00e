/*
 * A step cancels at most max_rows queued and waiting messages. Only the last step also marks the messages that are being sent, or failed as
 * unconfirmed: until then these may be settled, confirmed or queued again. Messages that are accepted later aren't cancelled.
 *
 * Each status has its partial index. Four selects use these indexes, so that the messages that ended in past years aren't read.
 */
create or replace function invite.cancel_survey(
  survey_id text, max_rows integer default 10000, at timestamptz default null
) returns invite.cancel_result
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_pending bigint[];
  v_marked bigint[];
  v_full boolean;
  v_result invite.cancel_result;
begin
  perform invite.require_survey(cancel_survey.survey_id);

  -- One statement, so that a message that changes its status meanwhile is still in one of the lists.
  select
    array(
      select m.invitation_id from invite.messages as m where m.survey_id = cancel_survey.survey_id and m.status = 'waiting'
      union all
      select m.invitation_id from invite.messages as m where m.survey_id = cancel_survey.survey_id and m.status = 'queued' and m.is_last
      limit cancel_survey.max_rows
    ),
    array(
      select m.invitation_id from invite.messages as m where m.survey_id = cancel_survey.survey_id and m.status = 'sending'
      union all
      select m.invitation_id
      from invite.messages as m
      where m.survey_id = cancel_survey.survey_id and m.status = 'failed' and m.last_error_code = 'unconfirmed' and m.cancelled_at is null
    )
  into v_pending, v_marked;

  v_full := cardinality(v_pending) >= cancel_survey.max_rows;
  v_result := invite.cancel_invitations(
    case when v_full then v_pending else v_pending || v_marked end, cancel_survey.at);
  perform invite.record_message_audit(
    cancel_survey.survey_id, 'survey_cancelled', cancel_survey.survey_id, v_result.cancelled + v_result.already_sending);
  v_result.more := v_full;
  return v_result;
end
$$;
comment on function invite.cancel_survey(text, integer, timestamptz) is
  'One bounded step of cancelling the pending messages of a survey; call again while more is true.';
