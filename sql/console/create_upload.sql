create function console.create_upload(session_hash bytea, survey_id text, name text) returns uuid
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_member invite.members := console.require_survey_role(create_upload.session_hash, create_upload.survey_id, 'editor');
begin
  return invite.create_upload(create_upload.survey_id, create_upload.name, v_member.email);
end
$$;
comment on function console.create_upload(bytea, text, text) is 'Begins an upload on behalf of an editor. Returns its id.';
