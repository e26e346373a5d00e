create function console.retry_batch(session_hash bytea, survey_id text, batch_id uuid) returns integer
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_member invite.members :=
    console.require_batch_editor(retry_batch.session_hash, retry_batch.survey_id, retry_batch.batch_id);
  v_result invite.retry_result := invite.retry_batch(retry_batch.batch_id);
begin
  return v_result.queued;
end
$$;
comment on function console.retry_batch(bytea, text, uuid) is
  'Queues the failed messages of a batch again on behalf of an editor. Returns how many.';
