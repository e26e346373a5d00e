/*
 * The caller has locked the upload. Locks: as cancel_invitations.
 */
create or replace function invite.cancel_upload_batch(upload invite.uploads, at timestamptz) returns void
language plpgsql volatile
as $$
declare
  v_batch uuid := (
    select b.batch_id from invite.upload_batches as b where b.upload_id = (upload).id and b.cancelled_at is null order by b.batch_id limit 1);
begin
  if v_batch is null then
    update invite.uploads as u
    set state = 'cancelled', next_at = null, ended_at = invite.clock(cancel_upload_batch.at)
    where u.id = (upload).id;
    return;
  end if;
  perform invite.cancel_invitations(array(select i.id from invite.invitations as i where i.batch_id = v_batch), cancel_upload_batch.at);
  update invite.upload_batches as b set cancelled_at = invite.clock(cancel_upload_batch.at) where b.batch_id = v_batch;
end
$$;
comment on function invite.cancel_upload_batch(invite.uploads, timestamptz) is 'Cancels the next batch of an upload.';
