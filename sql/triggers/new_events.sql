/*
 * It is a row trigger, because a statement that writes no row has nobody to wake. It checks once in a transaction. It wakes nobody while a
 * worker is awake, because that worker looks again after this transaction (rest_publisher). So busy writers add no jobs.
 */
create or replace function invite.tg_new_events__wake() returns trigger
language plpgsql volatile
as $$
begin
  if current_setting('invite.publisher_asked', true) is distinct from 'on' then
    perform set_config('invite.publisher_asked', 'on', true);
    if (select p.last_value from invite.publisher_awake as p) = 0 then
      perform invite.wake_publisher();
    end if;
  end if;
  return null;
end
$$;
comment on function invite.tg_new_events__wake() is 'Wakes a worker that publishes the events.';

create or replace trigger _500_wake
  after insert on invite.new_events
  for each row
  execute function invite.tg_new_events__wake();
comment on trigger _500_wake on invite.new_events is 'Wakes a worker that publishes them.';
