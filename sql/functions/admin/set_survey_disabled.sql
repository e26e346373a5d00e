create or replace function invite.set_survey_disabled(survey_id text, disabled boolean) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform invite.require_survey(set_survey_disabled.survey_id);
  update invite.surveys as s
  set disabled_at = case when set_survey_disabled.disabled then coalesce(s.disabled_at, invite.clock()) end
  where s.id = set_survey_disabled.survey_id;
end
$$;
comment on function invite.set_survey_disabled(text, boolean) is
  'Disables or enables a survey. While it is disabled, trigger requests are rejected and due messages wait.';
