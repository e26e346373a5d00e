create or replace function invite.tg_invitation_outcomes__event() returns trigger
language plpgsql volatile
as $$
begin
  insert into invite.new_events (type, at, survey_id, batch_id, invitation_id)
  select ('invitation.' || o.outcome)::invite.event_type, o.at, o.survey_id, i.batch_id, i.id
  from recorded as o
  join invite.invitations as i on i.id = o.invitation_id
  join invite.messages as m on m.invitation_id = i.id and m.number = 0
  where m.records_events and o.outcome in ('delivered', 'bounced', 'complained', 'unsubscribed')
  order by o.at;
  return null;
end
$$;
comment on function invite.tg_invitation_outcomes__event() is 'Records new outcomes of invitations as events.';

create or replace trigger _700_event
  after insert on invite.invitation_outcomes
  referencing new table as recorded
  for each statement
  execute function invite.tg_invitation_outcomes__event();
comment on trigger _700_event on invite.invitation_outcomes is 'Records the outcomes as events.';
