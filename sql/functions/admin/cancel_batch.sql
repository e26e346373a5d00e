create or replace function invite.cancel_batch(batch_id uuid, at timestamptz default null) returns invite.cancel_result
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform invite.require_batch(cancel_batch.batch_id);
  return invite.cancel_invitations(
    array(select i.id from invite.invitations as i where i.batch_id = cancel_batch.batch_id), cancel_batch.at);
end
$$;
comment on function invite.cancel_batch(uuid, timestamptz) is 'Cancels the pending messages of a batch.';
