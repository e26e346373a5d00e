/*
 * Locks: the upload (for no key update). Raises: P0002; IT503, as require_workspace; 23514 uploads_sent.
 */
create or replace function invite.lock_unsent_upload(upload_id uuid) returns invite.uploads
language plpgsql volatile
as $$
declare
  v_upload invite.uploads;
begin
  select u.* into v_upload from invite.uploads as u where u.id = lock_unsent_upload.upload_id for no key update;
  if not found then
    raise exception 'there is no upload %', lock_unsent_upload.upload_id using errcode = 'P0002';
  elsif v_upload.state not in ('reading', 'checked') then
    raise exception 'upload % has been sent (uploads_sent)', v_upload.id
      using errcode = '23514', constraint = 'uploads_sent', table = 'uploads', schema = 'invite';
  end if;
  perform invite.require_workspace(v_upload.workspace_id);
  return v_upload;
end
$$;
comment on function invite.lock_unsent_upload(uuid) is 'The upload, locked, if nobody has sent it yet.';
