create function console.set_survey_button(session_hash bytea, survey_id text, label text, url text) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform console.require_survey_role(set_survey_button.session_hash, set_survey_button.survey_id, 'editor');
  perform invite.set_survey_button(set_survey_button.survey_id, set_survey_button.label, set_survey_button.url);
end
$$;
comment on function console.set_survey_button(bytea, text, text, text) is 'Sets the button below a survey''s thank-you text, on behalf of an editor.';
