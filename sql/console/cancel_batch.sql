create function console.cancel_batch(session_hash bytea, survey_id text, batch_id uuid) returns integer
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_member invite.members :=
    console.require_batch_editor(cancel_batch.session_hash, cancel_batch.survey_id, cancel_batch.batch_id);
  v_result invite.cancel_result := invite.cancel_batch(cancel_batch.batch_id);
begin
  return v_result.cancelled + v_result.already_sending;
end
$$;
comment on function console.cancel_batch(bytea, text, uuid) is
  'Cancels the pending messages of a batch on behalf of an editor. Returns how many.';
