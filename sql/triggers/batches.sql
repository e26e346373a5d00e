create or replace function invite.tg_batches__event() returns trigger
language plpgsql volatile
as $$
begin
  insert into invite.new_events (type, at, survey_id, batch_id)
  values ('batch.accepted', new.accepted_at, new.survey_id, new.id);
  return null;
end
$$;
comment on function invite.tg_batches__event() is 'Records that a request was accepted.';

create or replace trigger _700_event
  after insert on invite.batches
  for each row
  when (new.records_events)
  execute function invite.tg_batches__event();
comment on trigger _700_event on invite.batches is 'Records that the request was accepted.';
