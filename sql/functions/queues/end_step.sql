create or replace function invite.end_step(queue text, reached bigint, last_id bigint) returns void
language sql volatile
as $$
  update invite.queue_progress as p
  set
    read_from = 1 + least(end_step.reached, end_step.last_id),
    open_to = case when end_step.last_id < end_step.reached then p.open_to end,
    open_transactions = case when end_step.last_id < end_step.reached then p.open_transactions end
  where p.queue = end_step.queue and end_step.reached is not null
$$;
comment on function invite.end_step(text, bigint, bigint) is
  'Ends a step of reading a queue: the next begins after the id that begin_step reached. A full step has left rows: then the next begins after '
  'its last row (last_id).';
