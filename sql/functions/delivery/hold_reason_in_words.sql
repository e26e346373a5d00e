create or replace function invite.hold_reason_in_words(reason invite.hold_reason) returns text
language sql immutable
as $$
  select case reason
    when 'workspace_suspended' then 'the workspace is suspended'
    when 'plan_required' then 'the plan doesn''t include the API trigger'
    when 'survey_disabled' then 'the survey is disabled'
    when 'survey_draft' then 'the survey is a draft'
    when 'survey_closed' then 'the survey is closed'
    when 'sending_paused' then 'sending is paused for everyone'
    when 'workspace_guarded' then 'too much of the workspace''s email bounced or was reported as spam'
    when 'workspace_paused' then 'sending is paused for the workspace'
    when 'survey_paused' then 'sending is paused for the survey'
  end
$$;
comment on function invite.hold_reason_in_words(invite.hold_reason) is 'A hold_reason for a person who reads a view.';
