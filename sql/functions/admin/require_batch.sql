create or replace function invite.require_batch(batch_id uuid) returns void
language plpgsql stable
as $$
begin
  if not exists (select from invite.batches as b where b.id = require_batch.batch_id) then
    raise exception 'there is no batch %', require_batch.batch_id using errcode = 'P0002';
  end if;
end
$$;
comment on function invite.require_batch(uuid) is 'Raises P0002 unless the batch exists.';
