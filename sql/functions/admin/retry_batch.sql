create or replace function invite.retry_batch(batch_id uuid, at timestamptz default null) returns invite.retry_result
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform invite.require_batch(retry_batch.batch_id);
  return invite.retry_invitations(
    array(select i.id from invite.invitations as i where i.batch_id = retry_batch.batch_id and i.status = 'failed'), retry_batch.at);
end
$$;
comment on function invite.retry_batch(uuid, timestamptz) is 'Queues the failed messages of a batch again.';
