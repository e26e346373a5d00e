create or replace function invite.remind_batch_now(batch_id uuid, at timestamptz default null) returns invite.remind_result
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_result invite.remind_result;
begin
  perform invite.require_batch(remind_batch_now.batch_id);
  v_result := invite.remind_invitations(
    array(select i.id from invite.invitations as i where i.batch_id = remind_batch_now.batch_id), remind_batch_now.at);
  perform invite.record_message_audit(
    (select b.survey_id from invite.batches as b where b.id = remind_batch_now.batch_id), 'reminded_now', remind_batch_now.batch_id::text,
    v_result.reminded);
  return v_result;
end
$$;
comment on function invite.remind_batch_now(uuid, timestamptz) is 'Makes the next reminders of a batch due now.';
