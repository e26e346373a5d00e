create or replace function invite.hold_of_survey(survey invite.surveys) returns invite.hold_reason
language sql immutable
as $$
  select case
    when survey.disabled_at is not null then 'survey_disabled'::invite.hold_reason
    when survey.state = 'draft' then 'survey_draft'
    when survey.state = 'closed' then 'survey_closed'
    when survey.paused_at is not null then 'survey_paused'
  end
$$;
comment on function invite.hold_of_survey(invite.surveys) is 'Why a survey holds its email; null: it doesn''t.';
