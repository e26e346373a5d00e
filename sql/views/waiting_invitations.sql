create or replace view invite.waiting_invitations as
select
  i.id, i.survey_id, i.batch_id, i.email, i.mail, i.due_at,
  s.hold_reason, coalesce(s.in_words, 'about to be queued again') as in_words
from invite.invitations as i
join invite.survey_overview as s on s.id = i.survey_id
where i.status = 'waiting';
comment on view invite.waiting_invitations is 'Invitations that are due but held, and why.';
