create function console.check_upload(
  session_hash bytea, survey_id text, upload_id uuid, columns jsonb default null, digest bytea default null, send_at timestamp default null,
  time_zone text default null
) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform console.require_upload_editor(check_upload.session_hash, check_upload.survey_id, check_upload.upload_id);
  -- So that its email can be shown and edited before it is sent.
  perform invite.upload_token(check_upload.survey_id);
  perform invite.check_upload(
    check_upload.upload_id, check_upload.columns, check_upload.digest, check_upload.send_at, check_upload.time_zone);
end
$$;
comment on function console.check_upload(bytea, text, uuid, jsonb, bytea, timestamp, text) is
  'Says of each line of an upload what will become of it, for an editor.';
