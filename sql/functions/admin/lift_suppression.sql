/*
 * A complaint can't be lifted, and only the recipient can take back an unsubscription (resubscribe). If the recipient has also
 * unsubscribed, the address stays on the list as unsubscribed. The function can tell as long as an invitation with the address is kept.
 * Locks: the suppression: a complaint that is just taking it over is waited for, and found.
 * Raises: P0002 if there is no such workspace, 23514 suppressions_of_recipient.
 */
create or replace function invite.lift_suppression(workspace_id text, email text) returns boolean
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_email constant text := lower(btrim(lift_suppression.email collate "C"));
  v_reason invite.suppression_reason;
  v_unsubscribed boolean;
begin
  perform invite.require_workspace(lift_suppression.workspace_id);
  select p.reason into v_reason
  from invite.suppressions as p
  where p.workspace_id = lift_suppression.workspace_id and p.email = v_email
  for update;
  if not found then
    return null;
  end if;
  if v_reason not in ('manual', 'hard_bounce') then
    raise exception 'only the recipient can take this back (suppressions_of_recipient)'
      using errcode = '23514', constraint = 'suppressions_of_recipient';
  end if;
  v_unsubscribed := exists (
    select
    from invite.addresses as a
    join invite.invitation_outcomes as o on o.invitation_id = a.invitation_id
    where a.workspace_id = lift_suppression.workspace_id and a.email = v_email and o.outcome = 'unsubscribed');
  if v_unsubscribed then
    update invite.suppressions as p set reason = 'unsubscribe', added_by = null where p.workspace_id = lift_suppression.workspace_id and p.email = v_email;
  else
    delete from invite.suppressions as p where p.workspace_id = lift_suppression.workspace_id and p.email = v_email;
  end if;
  perform invite.record_audit(
    lift_suppression.workspace_id, invite.current_actor(), 'address_unblocked', v_reason::text,
    jsonb_build_object('still_unsubscribed', nullif(v_unsubscribed, false)));
  return not v_unsubscribed;
end
$$;
comment on function invite.lift_suppression(text, text) is
  'Takes an address off the do-not-email list of a workspace, if it bounced or was added by hand. Returns whether it is off the list. False: '
  'the recipient has also unsubscribed, so it stays. Null: it was not on the list.';
