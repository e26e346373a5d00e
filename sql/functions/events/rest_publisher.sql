/*
 * Sets publisher_awake to 0 first, and only then looks for open transactions. A transaction that wrote before it could see the 0 is then
 * either still open, or has committed. The rows are read after that by a separate statement, which sees what has committed. So no event is
 * missed.
 */
create or replace function invite.rest_publisher() returns boolean
language plpgsql volatile
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
declare
  v_more boolean;
begin
  perform setval('invite.publisher_awake', 0);
  v_more := exists (select from invite.open_writers('invite.new_events'));
  v_more := v_more or exists (select from invite.new_events as n where n.id >= (select p.read_from from invite.queue_progress as p where p.queue = 'new_events'));
  if v_more then
    perform setval('invite.publisher_awake', 1);
  end if;
  return not v_more;
end
$$;
comment on function invite.rest_publisher() is
  'Called by a worker that has nothing left to publish. Returns true if the worker may stop until a writer wakes one; otherwise it calls '
  'publish_events again soon.';
