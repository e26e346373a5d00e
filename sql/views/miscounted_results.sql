create or replace view invite.miscounted_results as
with surveys as materialized (
  select s.id, invite.every_question(s.id) as questions from invite.surveys as s
)
select c.survey_id, c.starts_at, c.question, c.value, sum(c.given)::bigint as given, sum(c.counted)::bigint as counted
from (
  select
    r.survey_id, date_bin('15 minutes', r.submitted_at, '2000-01-01 00:00Z') as starts_at, a.question collate "C" as question,
    a.value collate "C" as value, 1 as given, 0 as counted
  from surveys as s
  join invite.responses as r on r.survey_id = s.id
  cross join lateral invite.counted_answers(s.questions, r.answers, r.invitation_id) as a
  union all
  select b.survey_id, date_bin('15 minutes', m.sent_at, '2000-01-01 00:00Z'), '', v.value, 1, 0
  from invite.batches as b
  join invite.invitations as i on i.batch_id = b.id
  join invite.messages as m on m.invitation_id = i.id
  cross join lateral invite.counted_times(m.number, m.sent_at, i.responded_at, i.bounced_at) as v
  union all
  select q.survey_id, q.starts_at, q.question, q.value, 0, q.number from invite.result_counts as q where not q.whole_day
  union all
  select x.survey_id, x.starts_at, x.question, x.value, 0, x.number from invite.result_changes as x
  where x.id >= (select p.read_from from invite.queue_progress as p where p.queue = 'result_changes')
) as c
where c.question = '' or exists (
  select from surveys as s where s.id = c.survey_id and s.questions @> jsonb_build_array(jsonb_build_object('id', c.question)))
group by 1, 2, 3, 4
having sum(c.given) <> sum(c.counted);
comment on view invite.miscounted_results is
  'Counts of Results that differ from the responses and invitations. Empty, unless triggers were off; then call invite.recount_results(survey). '
  'A query reads all responses and invitations of the survey.';
