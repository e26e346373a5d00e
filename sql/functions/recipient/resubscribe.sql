/*
 * Takes an unsubscription back: lifts the suppression of the address behind an unsubscribe link, if the recipient made it by unsubscribing. A
 * bounce, a complaint, or an operator's own suppression stays. Repeatable.
 * What was due meanwhile has ended as suppressed and is not sent afterwards; what is not due yet, a reminder above all, is sent
 * when it is, and so is what is triggered from now on.
 *
 * Locks: the suppression. Anyone who suppresses the address at the same moment waits for that lock and puts the row back: of unsubscribing and
 * resubscribing the last one counts. A complaint that is just taking the row over is waited for here, and found; so none is lost.
 * Returns the page that results; a row of nulls if the token is unknown.
 */
create or replace function invite.resubscribe(unsubscribe_token text) returns invite.unsubscribe_page
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  delete from invite.suppressions as p
  using invite.find_unsubscribe_link(resubscribe.unsubscribe_token) as i
  join invite.batches as b on b.id = i.batch_id
  where p.workspace_id = b.workspace_id
    and p.email = lower(i.email)
    and p.reason = 'unsubscribe';

  return invite.unsubscribe_page(resubscribe.unsubscribe_token);
end
$$;
comment on function invite.resubscribe(text) is
  'Lifts the suppression that the recipient behind an unsubscribe link made by unsubscribing; no other one.';
