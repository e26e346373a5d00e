/*
 * A complaint stays, and an unsubscription is the recipient's alone to take back. Raises: 23514 suppressions_of_recipient.
 * Locks: the suppression: a complaint that is just taking it over is waited for, and found.
 */
create function console.remove_suppression(session_hash bytea, workspace_id text, email text) returns boolean
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_member invite.members := console.require_role(remove_suppression.session_hash, remove_suppression.workspace_id, 'editor');
  v_reason invite.suppression_reason;
begin
  select p.reason into v_reason
  from invite.suppressions as p
  where p.workspace_id = remove_suppression.workspace_id and p.email = lower(remove_suppression.email collate "C")
  for update;
  if not found then
    return false;
  end if;
  if v_reason not in ('manual', 'hard_bounce') then
    raise exception 'only the recipient can take this back' using errcode = '23514', constraint = 'suppressions_of_recipient';
  end if;
  delete from invite.suppressions as p
  where p.workspace_id = remove_suppression.workspace_id and p.email = lower(remove_suppression.email collate "C");
  perform invite.record_audit(remove_suppression.workspace_id, v_member.email, 'address_unblocked', v_reason::text);
  return true;
end
$$;
comment on function console.remove_suppression(bytea, text, text) is
  'Takes an address off the do-not-email list on behalf of an editor, if it bounced or was added by hand. Returns whether it was on it.';
