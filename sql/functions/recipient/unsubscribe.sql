/*
 * Unsubscribes permanently and from all surveys (RFC 8058 one-click, and the page's button). Can be repeated. Returns a row of nulls if the
 * token is unknown.
 * An existing suppression keeps its reason, and is locked. A resubscribe or lift_suppression at the same moment may be deleting the row:
 * then the insert waits, and puts the row back. Or the insert is first: then the other call waits, and finds the row.
 * The address of an erased invitation is not known any more: nothing is suppressed, and the page says so.
 *
 * Locks: the invitation (for key share, as the foreign key would after the suppression, in which erase_email is before it); the
 * suppression.
 */
create or replace function invite.unsubscribe(unsubscribe_token text) returns invite.unsubscribe_page
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform
  from invite.invitations as i
  where i.id in (select f.id from invite.find_unsubscribe_link(unsubscribe.unsubscribe_token) as f)
  for key share;

  insert into invite.suppressions as s (workspace_id, email, reason)
  select i.workspace_id, lower(i.email), 'unsubscribe'
  from invite.find_unsubscribe_link(unsubscribe.unsubscribe_token) as i
  where i.email is not null
  on conflict on constraint suppressions_pkey do update set reason = s.reason where false;

  insert into invite.invitation_outcomes (invitation_id, outcome, survey_id, at)
  select i.id, 'unsubscribed', i.survey_id, invite.clock()
  from invite.find_unsubscribe_link(unsubscribe.unsubscribe_token) as i
  where i.email is not null
  on conflict on constraint invitation_outcomes_pkey do nothing;

  return invite.unsubscribe_page(unsubscribe.unsubscribe_token);
end
$$;
comment on function invite.unsubscribe(text) is 'Suppresses the address behind an unsubscribe link in its workspace.';
