create function console.send_upload(
  session_hash bytea, survey_id text, upload_id uuid, again boolean default false, send_at timestamp default null, time_zone text default null
) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_member invite.members := console.require_upload_editor(send_upload.session_hash, send_upload.survey_id, send_upload.upload_id);
begin
  perform invite.send_upload(send_upload.upload_id, send_upload.again, v_member.email, send_upload.send_at, send_upload.time_zone);
end
$$;
comment on function console.send_upload(bytea, text, uuid, boolean, timestamp, text) is 'Invites the people of an upload on behalf of an editor.';
