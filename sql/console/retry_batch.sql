/*
 * invite.retry_batch on behalf of an editor. Returns how many messages are sent again; 0: there was nothing to retry.
 * Raises: P0002, IT403 (require_batch_editor). Locks: as retry_invitations.
 */
create function console.retry_batch(session_hash bytea, survey_id text, batch_id uuid) returns integer
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_member invite.members :=
    console.require_batch_editor(retry_batch.session_hash, retry_batch.survey_id, retry_batch.batch_id);
  v_result invite.retry_result := invite.retry_batch(retry_batch.batch_id);
begin
  return console.record_message_audit(
    retry_batch.survey_id, v_member.email, 'batch_retried', retry_batch.batch_id::text, v_result.queued);
end
$$;
comment on function console.retry_batch(bytea, text, uuid) is
  'Queues the failed messages of a batch again on behalf of an editor. Returns how many.';
