create or replace function invite.send_batch_anyway(batch_id uuid, at timestamptz default null) returns invite.retry_result
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_result invite.retry_result;
begin
  perform invite.require_batch(send_batch_anyway.batch_id);
  v_result := invite.send_anyway(
    array(
      select i.id
      from invite.invitations as i
      join invite.messages as m on m.invitation_id = i.id
      where i.batch_id = send_batch_anyway.batch_id and m.status::text in ('queued', 'skipped') and m.rule is not null),
    send_batch_anyway.at);
  perform invite.record_message_audit(
    (select b.survey_id from invite.batches as b where b.id = send_batch_anyway.batch_id), 'invitation_sent_anyway',
    send_batch_anyway.batch_id::text, v_result.queued);
  return v_result;
end
$$;
comment on function invite.send_batch_anyway(uuid, timestamptz) is
  'Sends the emails of a batch that rest or were skipped, in spite of the rest and their deadline.';
