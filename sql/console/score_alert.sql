create type console.score_alert as (question text, below integer, scores jsonb, low jsonb);
comment on type console.score_alert is
  'A member''s rule for a survey; nulls: there is none. scores: the survey''s questions with a score, [{id, label, min, max}]. low: what is suggested, {question, below}; '
  'null: no question has a score.';

create function console.score_alert(session_hash bytea, survey_id text) returns console.score_alert
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_member constant invite.members := console.require_survey_role(score_alert.session_hash, score_alert.survey_id, 'viewer');
begin
  return (
    select row(
      a.question, a.below,
      (
        select coalesce(jsonb_agg(jsonb_build_object(
          'id', q.value -> 'id', 'label', q.value -> 'label', 'min', coalesce((q.value ->> 'min')::integer, 0), 'max', coalesce((q.value ->> 'max')::integer, 10))
          order by q.ordinality), '[]')
        from jsonb_array_elements(s.questions) with ordinality as q
        where q.value ->> 'type' = 'score'
      ),
      (select jsonb_build_object('question', l.question, 'below', l.below) from invite.low_score_of(s.questions) as l where l.question is not null)
    )::console.score_alert
    from invite.surveys as s
    left join invite.notified_members as n on n.workspace_id = v_member.workspace_id and n.email = v_member.email
    left join invite.score_alerts as a on a.survey_id = s.id and a.notified_id = n.id
    where s.id = score_alert.survey_id);
end
$$;
comment on function console.score_alert(bytea, text) is 'Below which score of a survey the member who uses a session gets an email at once.';
