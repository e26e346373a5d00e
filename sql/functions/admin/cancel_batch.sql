create or replace function invite.cancel_batch(batch_id uuid, at timestamptz default null) returns invite.cancel_result
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_result invite.cancel_result;
begin
  perform invite.require_batch(cancel_batch.batch_id);
  v_result := invite.cancel_invitations(
    array(select i.id from invite.invitations as i where i.batch_id = cancel_batch.batch_id), cancel_batch.at);
  perform invite.record_message_audit(
    (select b.survey_id from invite.batches as b where b.id = cancel_batch.batch_id), 'batch_cancelled', cancel_batch.batch_id::text, v_result.cancelled + v_result.already_sending);
  return v_result;
end
$$;
comment on function invite.cancel_batch(uuid, timestamptz) is 'Cancels the pending messages of a batch.';
