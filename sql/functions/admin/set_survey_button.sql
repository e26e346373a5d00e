/*
 * It is shown to everybody alike: there is none by score, because several markets forbid to choose by score whom to ask for a public review.
 * label, url: empty or null both, and the button is removed. Raises: P0002, 23514 for a wrong form.
 */
create or replace function invite.set_survey_button(survey_id text, label text, url text) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform invite.require_survey(set_survey_button.survey_id);
  update invite.surveys as s
  set button_label = nullif(set_survey_button.label, ''), button_url = nullif(set_survey_button.url, '')
  where s.id = set_survey_button.survey_id
    and (s.button_label, s.button_url) is distinct from (nullif(set_survey_button.label, ''), nullif(set_survey_button.url, ''));
end
$$;
comment on function invite.set_survey_button(text, text, text) is
  'Sets the button below a survey''s thank-you text, which leads to an https address; empty values remove it.';
