/*
 * The first score or choice question with at most 11 answers, which fit one row. A survey with a page of the product asks none: only the
 * service's page opens with the answer chosen. language: of the survey's translation that the email uses; null: none.
 */
create or replace function invite.email_question(survey invite.surveys, language text default null) returns jsonb
language sql immutable parallel safe
as $$
  select
    q.question - x.after
    || case when t.texts is not null then jsonb_build_object('translated', t.texts - x.after) else '{}' end
  from jsonb_array_elements((survey).questions) with ordinality as q (question, place)
  cross join (select array['low_thanks', 'middle_thanks', 'high_thanks'] as after) as x
  cross join lateral (
    select (survey).translations -> email_question.language -> 'questions' -> (q.question ->> 'id') as texts
  ) as t
  where (survey).public_url is null
    and case q.question ->> 'type'
      when 'score' then coalesce((q.question -> 'max')::integer, 10) - coalesce((q.question -> 'min')::integer, 0) <= 10
      when 'choice' then jsonb_array_length(q.question -> 'choices') <= 11
      else false
    end
  order by q.place
  limit 1
$$;
comment on function invite.email_question(invite.surveys, text) is
  'The question that an email about a survey can ask, with its texts in a language as "translated"; null: the survey has none.';
