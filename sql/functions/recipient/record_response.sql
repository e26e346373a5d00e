/*
 * A product with its own survey pages calls this in its own transaction; the service's page calls submit_response.
 *
 * An invitation has one response: a second call returns already_responded with the id of the first response. A token that belongs to no
 * invitation of this survey returns unknown_invitation, and nothing is recorded; to keep the answers, call again without the token. An
 * empty token, such as an empty form field, counts as none. A pending message of the invitation is not sent any more.
 *
 * The state of the survey is the product's own, and doesn't matter here. What ends a survey by itself does: survey_closed after its closing date,
 * or once it has as many responses as its limit; link_expired. The last response that fits closes the survey.
 *
 * questions_version: the version of the questions that were answered; null: the current one. language: the tag of the language in which they were
 * shown; what isn't a tag is left out.
 *
 * clicked_in_email: the id of the question whose answer the recipient chose in the email. Ignored
 * if its email asked none, or there is no such answer.
 *
 * Raises: P0002 if there is no such survey. Locks: the survey (as lock_for_response; the foreign key would lock it after the invitation, in which
 * delete_survey is before it); the messages of the invitation (for no key update), as a claim does: its reminder is already being sent, or
 * never is; then the invitation.
 */
create or replace function invite.record_response(
  survey_id text, answers jsonb, invitation_token text default null, at timestamptz default null,
  questions_version integer default null, language text default null, clicked_in_email text default null
) returns invite.response_result
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_survey constant invite.surveys := invite.lock_for_response(record_response.survey_id);
  v_left constant integer := case when v_survey.response_limit is not null then invite.responses_left(v_survey) end;
  v_now timestamptz;
  v_invitation_id bigint;
  v_metadata jsonb;
  v_is_asked boolean;
  v_trigger_token_id uuid;
  v_refusal text;
  v_response_id bigint;
begin
  perform invite.require_survey(record_response.survey_id);
  if record_response.invitation_token <> '' then
    select i.id, coalesce(b.metadata, '{}') || coalesce(i.metadata, '{}'), b.question_in_email, b.trigger_token_id
    into v_invitation_id, v_metadata, v_is_asked, v_trigger_token_id
    from invite.find_link(record_response.invitation_token) as i
    join invite.batches as b on b.id = i.batch_id
    where i.survey_id = record_response.survey_id;
    perform from invite.messages as m where m.invitation_id = v_invitation_id order by m.number for no key update;
    -- It may have been deleted meanwhile.
    if not found then
      return row('unknown_invitation', null)::invite.response_result;
    end if;
  end if;
  v_now := invite.clock_of(v_survey.workspace_id, record_response.at);
  v_refusal := case
    when v_survey.closes_at <= v_now or v_left = 0 then 'survey_closed'
    when v_survey.link_days is not null and invite.is_link_expired(v_survey, v_invitation_id, v_now) then 'link_expired'
  end;

  insert into invite.responses (
    survey_id, invitation_id, trigger_token_id, answers, metadata, submitted_at, questions_version, language, clicked_in_email)
  select
    v_survey.id, v_invitation_id, v_trigger_token_id, record_response.answers, v_metadata, v_now,
    coalesce(record_response.questions_version, v_survey.questions_version), invite.language_tag(record_response.language),
    case when v_is_asked and record_response.answers ? record_response.clicked_in_email then record_response.clicked_in_email end
  where v_refusal is null
  on conflict on constraint responses_invitation_key do nothing
  returning id into v_response_id;
  -- Also if a response that didn't know of the limit was the last.
  if v_left = 0 then
    update invite.surveys as s set state = 'closed' where s.id = v_survey.id and s.state = 'active';
  end if;
  if v_response_id is null then
    select r.id into v_response_id from invite.responses as r where r.invitation_id = v_invitation_id;
    return row(case when v_response_id is null then v_refusal else 'already_responded' end, v_response_id)::invite.response_result;
  end if;

  update invite.messages as m
  set status = 'answered', not_before = null, sweep_at = null, skipped_at = v_now
  where m.invitation_id = v_invitation_id and m.status::text in ('queued', 'waiting');
  with responded as (
    update invite.invitations as i
    set responded_at = v_now
    where i.id = v_invitation_id
    returning i.id, i.survey_id, i.bounced_at
  )
  insert into invite.result_changes (survey_id, starts_at, question, value, number)
  select r.survey_id, date_bin('15 minutes', m.sent_at, '2000-01-01 00:00Z'), '', v.value, v.number
  from responded as r
  join invite.messages as m on m.invitation_id = r.id and m.number = 0
  cross join lateral (values ('responded', 1), ('bounced', case when r.bounced_at is not null then -1 end)) as v (value, number)
  where m.sent_at is not null and v.number is not null;
  insert into invite.invitation_outcomes (invitation_id, outcome, survey_id, at)
  select v_invitation_id, 'responded', record_response.survey_id, v_now
  where v_invitation_id is not null
  on conflict on constraint invitation_outcomes_pkey do nothing;
  if v_left = 1 then
    update invite.surveys as s set state = 'closed' where s.id = v_survey.id and s.state = 'active';
  end if;

  return row('recorded', v_response_id)::invite.response_result;
end
$$;
comment on function invite.record_response(text, jsonb, text, timestamptz, integer, text, text) is
  'Records a response (answers: a JSON object) to a survey, attributed by the invitation token of the tracked link, if any.';
