/*
 * Accepts the next batch of an upload, or cancels one. All of a step is one transaction: a batch is accepted and its lines are deleted, or
 * neither. So whatever ends it, each line is accepted once. The idempotency key of the batch says the same once more.
 *
 * Locks: the upload (for no key update, skip locked); then as accept_triggers or cancel_invitations.
 */
create or replace function invite.step_upload(upload_id uuid, max_people integer default 1000, at timestamptz default null) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_upload invite.uploads;
begin
  select u.* into v_upload
  from invite.uploads as u
  where u.id = step_upload.upload_id and u.next_at <= invite.clock(step_upload.at)
  for no key update skip locked;
  if v_upload.state = 'sending' then
    perform invite.accept_upload_batch(v_upload, step_upload.max_people, step_upload.at);
  elsif v_upload.state = 'cancelling' then
    perform invite.cancel_upload_batch(v_upload, step_upload.at);
  end if;
end
$$;
comment on function invite.step_upload(uuid, integer, timestamptz) is 'The next step of an upload that is being sent or cancelled.';
