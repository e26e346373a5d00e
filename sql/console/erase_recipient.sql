/*
 * Everything that erase_email erases, in all surveys of the workspace. What is being sent still needs its address: a second call erases that.
 * Raises: P0002 if the workspace has no such invitation, or its address was erased.
 */
create function console.erase_recipient(
  session_hash bytea, workspace_id text, invitation_id bigint, suppress boolean, with_response boolean
) returns invite.erase_result
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_email text;
begin
  perform console.require_role(erase_recipient.session_hash, erase_recipient.workspace_id, 'admin');
  perform console.require_recent_sign_in(erase_recipient.session_hash);
  select i.email into v_email
  from invite.invitations as i
  where i.id = erase_recipient.invitation_id and i.workspace_id || '' = erase_recipient.workspace_id;
  if v_email is null then
    raise exception 'there is no recipient % of this workspace', erase_recipient.invitation_id using errcode = 'P0002';
  end if;
  return invite.erase_email(erase_recipient.workspace_id, v_email, erase_recipient.suppress, null, erase_recipient.with_response);
end
$$;
comment on function console.erase_recipient(bytea, text, bigint, boolean, boolean) is
  'Erases the address of an invitation''s recipient on behalf of an owner or admin, and if wished the answers, or blocks the address for good.';
