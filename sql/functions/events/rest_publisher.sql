/*
 * First the word that nobody is awake, then the look: a transaction that has not read that word is still open, or has committed, and is seen. Rows
 * are read after the transactions, by a statement of their own.
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
  'Asked by a worker that has nothing left to publish: whether it may rest until a writer wakes one. Otherwise it looks again soon.';
