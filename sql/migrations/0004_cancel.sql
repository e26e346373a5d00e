-- Cancelling: what is pending ends as cancelled; what a worker is sending is marked, and nothing follows it.

alter table invite.invitations
  add column cancelled_at timestamptz,
  add constraint invitations_cancelled check (cancelled_at is null or status not in ('queued', 'waiting'));
comment on column invite.invitations.cancelled_at is
  'When it was cancelled; from then on nothing more is mailed. With status sending: the mail was with a worker already, and may have left. '
  'With sent_at: the invitation had been sent, its reminder was cancelled.';

create type invite.cancel_answer as (
  cancelled integer,
  reminders integer,
  already_sending integer,
  more boolean
);
comment on type invite.cancel_answer is
  'cancelled: mails that will not be sent; reminders: how many of those are reminders of sent invitations. already_sending: with a worker or the '
  'relay, they may still arrive, and nothing follows them. more: the step was full, call again.';
