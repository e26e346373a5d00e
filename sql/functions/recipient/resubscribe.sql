/*
 * A suppression because of a bounce or a complaint, or one that an operator added, stays. Messages that were due meanwhile have ended as
 * suppressed; later ones are sent. Can be repeated. Returns a row of nulls if the token is unknown.
 *
 * Locks: the suppression. Anyone who suppresses the address at the same moment waits for that lock and puts the row back: of unsubscribing
 * and resubscribing the last one counts. A complaint that is just taking over the row is waited for here, and found.
 */
create or replace function invite.resubscribe(unsubscribe_token text) returns invite.unsubscribe_page
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  delete from invite.suppressions as p
  using invite.find_unsubscribe_link(resubscribe.unsubscribe_token) as i
  where p.workspace_id = i.workspace_id
    and p.email = lower(i.email)
    and p.reason = 'unsubscribe';
  if not found then
    return invite.unsubscribe_page(resubscribe.unsubscribe_token);
  end if;

  delete from invite.invitation_outcomes as d
  using invite.find_unsubscribe_link(resubscribe.unsubscribe_token) as i
  join invite.addresses as a on a.workspace_id = i.workspace_id and a.email = lower(i.email)
  where d.invitation_id = a.invitation_id and d.outcome = 'unsubscribed';

  return invite.unsubscribe_page(resubscribe.unsubscribe_token);
end
$$;
comment on function invite.resubscribe(text) is
  'Lifts the suppression that was caused by the unsubscription of the recipient of an unsubscribe link; no other suppression.';
