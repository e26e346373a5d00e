/*
 * No address and no name: anybody may read a channel.
 */
create or replace function invite.low_score_message(endpoint invite.webhook_endpoints, event_position bigint) returns jsonb
language sql stable
as $$
  select case
    when low_score_message.event_position is null then
      (select jsonb_build_object('workspace', w.name) from invite.workspaces as w where w.id = (low_score_message.endpoint).workspace_id)
    else (
      select jsonb_build_object(
        'survey', r.survey_id, 'title', s.title, 'response', r.id::text, 'question', l.label, 'score', l.score, 'highest', l.highest,
        'comment', invite.comments_of(invite.questions_as_asked(r.survey_id, r.questions_version), r.answers) -> 0 ->> 'text')
      from invite.events as e
      join invite.responses as r on r.id = e.response_id
      join invite.surveys as s on s.id = r.survey_id
      cross join lateral invite.low_score(r.survey_id, r.questions_version, r.answers, (low_score_message.endpoint).below) as l
      where e.position = low_score_message.event_position and e.workspace_id = (low_score_message.endpoint).workspace_id and l.score is not null
    )
  end
$$;
comment on function invite.low_score_message(invite.webhook_endpoints, bigint) is
  'What a slack endpoint is told: {survey, title, response, question, score, highest, comment}, or of a test (no position) {workspace}. Null: it was erased or deleted.';
