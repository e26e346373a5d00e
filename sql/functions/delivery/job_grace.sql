create or replace function invite.job_grace() returns interval
language sql immutable parallel safe
as $$
  select interval '30 seconds'
$$;
comment on function invite.job_grace() is 'How long after its time a job counts as lost: the sweep then adds another.';
