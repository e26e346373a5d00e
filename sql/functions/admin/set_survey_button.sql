/*
 * It is shown to everybody alike: there is none by score, because several markets forbid to choose by score whom to ask for a public review.
 * label, url: null keeps what is there; if both are empty, the button is removed. Raises: P0002, 23514 for a wrong form.
 */
create or replace function invite.set_survey_button(survey_id text, label text, url text) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform invite.require_survey(set_survey_button.survey_id);
  update invite.surveys as s
  set button_label = nullif(coalesce(set_survey_button.label, s.button_label), ''), button_url = nullif(coalesce(set_survey_button.url, s.button_url), '')
  where s.id = set_survey_button.survey_id
    and (s.button_label, s.button_url) is distinct from (
      nullif(coalesce(set_survey_button.label, s.button_label), ''), nullif(coalesce(set_survey_button.url, s.button_url), ''));
end
$$;
comment on function invite.set_survey_button(text, text, text) is
  'Sets the button below a survey''s thank-you text, which leads to an https address; empty values remove it, null keeps what is there.';
