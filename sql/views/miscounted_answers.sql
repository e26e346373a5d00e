-- Of removed questions, what was counted stays and isn't shown.
create or replace view invite.miscounted_answers as
select c.survey_id, c.starts_at, c.question, c.value, sum(c.given)::bigint as given, sum(c.counted)::bigint as counted
from (
  select
    r.survey_id, date_bin('15 minutes', r.submitted_at, '2000-01-01 00:00Z') as starts_at, a.question collate "C" as question,
    a.value collate "C" as value, 1 as given, 0 as counted
  from invite.responses as r
  join invite.surveys as s on s.id = r.survey_id
  cross join lateral invite.counted_answers(s.questions, r.answers, r.invitation_id) as a
  union all
  select q.survey_id, q.starts_at, q.question, q.value, 0, q.number from invite.answer_counts as q where not q.whole_day
  union all
  select x.survey_id, x.starts_at, x.question, x.value, 0, x.number from invite.answer_changes as x
) as c
join invite.surveys as s on s.id = c.survey_id
where c.question = '' or s.questions @> jsonb_build_array(jsonb_build_object('id', c.question))
group by 1, 2, 3, 4
having sum(c.given) <> sum(c.counted);
comment on view invite.miscounted_answers is
  'Counts of answers that differ from the responses. Empty, unless triggers were off: select invite.recount_answers(survey). Reads all responses of the survey.';
