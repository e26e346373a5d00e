create or replace function invite.retry_batch(batch_id uuid, at timestamptz default null) returns invite.retry_result
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_result invite.retry_result;
begin
  perform invite.require_batch(retry_batch.batch_id);
  v_result := invite.retry_invitations(
    array(
      select i.id
      from invite.invitations as i
      join invite.messages as m on m.invitation_id = i.id
      where i.batch_id = retry_batch.batch_id and m.status::text = 'failed'),
    retry_batch.at);
  perform invite.record_message_audit(
    (select b.survey_id from invite.batches as b where b.id = retry_batch.batch_id), 'batch_retried', retry_batch.batch_id::text, v_result.queued);
  return v_result;
end
$$;
comment on function invite.retry_batch(uuid, timestamptz) is 'Queues the failed messages of a batch again.';
