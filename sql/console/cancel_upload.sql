create function console.cancel_upload(session_hash bytea, survey_id text, upload_id uuid, unsent_only boolean default false) returns boolean
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_member invite.members := console.require_upload_editor(cancel_upload.session_hash, cancel_upload.survey_id, cancel_upload.upload_id);
begin
  return invite.cancel_upload(cancel_upload.upload_id, v_member.email, unsent_only => cancel_upload.unsent_only);
end
$$;
comment on function console.cancel_upload(bytea, text, uuid, boolean) is 'Discards or cancels an upload on behalf of an editor.';
