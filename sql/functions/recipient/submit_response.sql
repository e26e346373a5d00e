/*
 * Does what record_response does. The page has checked the answers against the questions. Locks: the survey first (as lock_for_response), so that
 * one that is just being deleted is unknown, and one that just gets its last response is closed.
 */
create or replace function invite.submit_response(
  survey_id text, answers jsonb, invitation_token text default null, at timestamptz default null,
  questions_version integer default null, language text default null, clicked_in_email text default null
) returns invite.response_result
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_at constant timestamptz := invite.owner_time(submit_response.at);
  v_page invite.survey_page;
begin
  perform invite.lock_for_response(submit_response.survey_id);
  v_page := invite.survey_page(submit_response.survey_id, submit_response.invitation_token, at => v_at);
  if v_page.survey_id is null then
    return row('unknown_survey', null)::invite.response_result;
  elsif v_page.link not in ('responded', 'unknown') and v_page.state = 'draft' then
    return row('survey_not_open', null)::invite.response_result;
  elsif v_page.link not in ('responded', 'unknown') and v_page.state = 'closed' then
    return row('survey_closed', null)::invite.response_result;
  elsif v_page.link = 'required' then
    return row('link_required', null)::invite.response_result;
  elsif v_page.link = 'expired' then
    return row('link_expired', null)::invite.response_result;
  end if;
  return invite.record_response(
    submit_response.survey_id, submit_response.answers, submit_response.invitation_token,
    v_at, submit_response.questions_version, submit_response.language, submit_response.clicked_in_email);
end
$$;
comment on function invite.submit_response(text, jsonb, text, timestamptz, integer, text, text) is
  'Records a response from the survey page while the survey is open.';
