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
  'Lets the next step of a queue begin after what begin_step reached, or after the last row of a full step (last_id), which has left rows.';
