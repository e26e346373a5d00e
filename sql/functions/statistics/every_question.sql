/*
 * PL/pgSQL keeps the plan, which matters because the function is called for each counted response.
 */
create or replace function invite.every_question(survey_id text) returns jsonb
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  return (
    select s.questions || coalesce((
      select jsonb_agg(o.question order by o.version desc, o.place)
      from (
        select distinct on (q.value ->> 'id') q.value as question, p.version, q.ordinality as place
        from invite.past_questions as p
        cross join lateral jsonb_array_elements(p.questions) with ordinality as q
        where p.survey_id = s.id and not s.questions @> jsonb_build_array(jsonb_build_object('id', q.value -> 'id'))
        order by q.value ->> 'id', p.version desc
      ) as o
    ), '[]')
    from invite.surveys as s
    where s.id = every_question.survey_id);
end
$$;
comment on function invite.every_question(text) is
  'The questions of a survey, then those that it asked before and doesn''t ask now, each in its last version.';
