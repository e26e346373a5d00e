create or replace view invite.due_next_hour as
select s.workspace_id, q.survey_id, invite.hold_reason(s, w, p, g) as hold_reason, q.emails, q.first_due_at
from (
  select m.survey_id, count(*) as emails, min(m.not_before) as first_due_at
  from invite.messages as m
  where (m.status = 'queued' or m.status = 'sending') and not invite.is_test(m.invitation_id) and m.not_before < invite.now() + interval '1 hour'
  group by m.survey_id
) as q
join invite.surveys as s on s.id = q.survey_id
join invite.workspaces as w on w.id = s.workspace_id
join invite.plans as p on p.id = w.plan_id
cross join invite.settings as g
order by q.first_due_at;
comment on view invite.due_next_hour is 'Emails that are due in the next hour, by survey. Those with a hold_reason will wait instead.';
