create function console.set_survey_ends(session_hash bytea, survey_id text, ends jsonb) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform console.require_survey_role(set_survey_ends.session_hash, set_survey_ends.survey_id, 'editor');
  perform invite.set_survey_ends(set_survey_ends.survey_id, set_survey_ends.ends);
end
$$;
comment on function console.set_survey_ends(bytea, text, jsonb) is 'Sets what ends a survey and its links by itself, on behalf of an editor.';
