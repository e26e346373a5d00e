create or replace view invite.waiting_invitations as
select
  i.id, i.survey_id, i.batch_id, i.email, i.message_kind, i.due_at,
  s.hold_reason,
  invite.unsent_reason_in_words(case when s.hold_reason is null then 'requeueing' else 'held'::invite.unsent_reason end, s.hold_reason, null, null) as in_words
from invite.invitations as i
join invite.survey_overview as s on s.id = i.survey_id
where i.status = 'waiting';
comment on view invite.waiting_invitations is 'Invitations and reminders that are due but held, and why.';
