create type console.asked_questions as (version integer, questions jsonb, replaced_at timestamptz);
comment on type console.asked_questions is
  'The questions of one version of a survey; responses with this questions_version answered them. replaced_at: when the next version replaced '
  'them; null: the survey asks them now.';

create function console.asked_questions(session_hash bytea, survey_id text) returns setof console.asked_questions
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform console.require_survey_role(asked_questions.session_hash, asked_questions.survey_id, 'viewer');
  return query
    select s.questions_version, s.questions, null::timestamptz from invite.surveys as s where s.id = asked_questions.survey_id
    union all
    select p.version, p.questions, p.replaced_at from invite.past_questions as p where p.survey_id = asked_questions.survey_id
    order by 1 desc
    limit 200;
end
$$;
comment on function console.asked_questions(bytea, text) is
  'All questions that a survey has asked, the newest version first; at most 200 versions.';
