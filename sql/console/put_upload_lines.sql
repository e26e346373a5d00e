create function console.put_upload_lines(session_hash bytea, survey_id text, upload_id uuid, lines jsonb) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform console.require_upload_editor(put_upload_lines.session_hash, put_upload_lines.survey_id, put_upload_lines.upload_id);
  perform invite.put_upload_lines(put_upload_lines.upload_id, put_upload_lines.lines);
end
$$;
comment on function console.put_upload_lines(bytea, text, uuid, jsonb) is 'Stores some lines of an upload on behalf of an editor.';
