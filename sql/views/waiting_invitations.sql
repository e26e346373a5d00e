create or replace view invite.waiting_invitations as
select
  i.id, m.survey_id, i.batch_id, i.email, m.message_kind, m.not_before as due_at,
  s.hold_reason,
  invite.unsent_reason_in_words(
    invite.departure_reason(m, null, false, false, null, s.hold_reason is not null, null, null, null, invite.now()), s.hold_reason, null, null) as in_words
from invite.messages as m
join invite.invitations as i on i.id = m.invitation_id
join invite.survey_overview as s on s.id = m.survey_id
where m.status = 'waiting';
comment on view invite.waiting_invitations is 'Invitations and reminders that are due but held, and why.';
