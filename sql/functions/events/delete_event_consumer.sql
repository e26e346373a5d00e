create or replace function invite.delete_event_consumer(consumer text) returns boolean
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  delete from invite.event_consumers as c where c.name = delete_event_consumer.consumer;
  return found;
end
$$;
comment on function invite.delete_event_consumer(text) is 'Deletes a consumer''s cursor. Returns whether there was one.';
