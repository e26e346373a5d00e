create or replace function invite.tg_responses__event() returns trigger
language plpgsql volatile
as $$
begin
  insert into invite.new_events (type, at, survey_id, batch_id, invitation_id, response_id)
  select 'response.submitted', new.submitted_at, new.survey_id, i.batch_id, i.id, new.id
  from invite.surveys as s
  join invite.workspaces as w on w.id = s.workspace_id
  left join invite.invitations as i on i.id = new.invitation_id
  where s.id = new.survey_id and w.records_events;
  return null;
end
$$;
comment on function invite.tg_responses__event() is 'Records that a response was submitted.';

create or replace trigger _700_event
  after insert on invite.responses
  for each row
  execute function invite.tg_responses__event();
comment on trigger _700_event on invite.responses is 'Records that the response was submitted.';
