/*
 * Null arguments keep what is there, as in upsert_survey. Raises: as upsert_survey.
 */
create function console.update_survey(
  session_hash bytea, survey_id text, title text default null, public_url text default null, open_responses boolean default null,
  thanks text default null
) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_member invite.members := console.require_survey_role(update_survey.session_hash, update_survey.survey_id, 'editor');
begin
  perform invite.upsert_survey(
    v_member.workspace_id, update_survey.survey_id, update_survey.title, public_url => update_survey.public_url,
    open_responses => update_survey.open_responses, thanks => update_survey.thanks);
end
$$;
comment on function console.update_survey(bytea, text, text, text, boolean, text) is 'Changes the settings of a survey on behalf of an editor.';
