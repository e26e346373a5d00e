create function console.remind_batch_now(session_hash bytea, survey_id text, batch_id uuid) returns integer
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_member invite.members :=
    console.require_batch_editor(remind_batch_now.session_hash, remind_batch_now.survey_id, remind_batch_now.batch_id);
  v_result invite.remind_result := invite.remind_batch_now(remind_batch_now.batch_id);
begin
  return v_result.reminded;
end
$$;
comment on function console.remind_batch_now(bytea, text, uuid) is
  'Makes the next reminders of a batch due now on behalf of an editor. Returns how many.';
