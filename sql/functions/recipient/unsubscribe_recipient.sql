/*
 * An existing suppression keeps its reason, and is locked. A resubscribe or lift_suppression at the same moment may be deleting the row:
 * then the insert waits, and puts the row back. Or the insert is first: then the other call waits, and finds the row.
 * The address of an erased invitation is not known any more: nothing is suppressed.
 *
 * Locks: the invitation (for key share, as the foreign key would after the suppression, in which erase_email is before it); the
 * suppression.
 */
create or replace function invite.unsubscribe_recipient(invitation_id bigint, at timestamptz default null) returns void
language plpgsql volatile
as $$
begin
  perform from invite.invitations as i where i.id = unsubscribe_recipient.invitation_id for key share;

  insert into invite.suppressions as s (workspace_id, email, reason)
  select i.workspace_id, lower(i.email), 'unsubscribe'
  from invite.invitations as i
  where i.id = unsubscribe_recipient.invitation_id and i.email is not null
  on conflict on constraint suppressions_pkey do update set reason = s.reason where false;

  insert into invite.invitation_outcomes (invitation_id, outcome, survey_id, at)
  select i.id, 'unsubscribed', i.survey_id, invite.clock_of(i.workspace_id, unsubscribe_recipient.at)
  from invite.invitations as i
  where i.id = unsubscribe_recipient.invitation_id and i.email is not null
  on conflict on constraint invitation_outcomes_pkey do nothing;
end
$$;
comment on function invite.unsubscribe_recipient(bigint, timestamptz) is 'Suppresses the address of an invitation in its workspace, because its recipient says so.';
