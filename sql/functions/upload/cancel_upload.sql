/*
 * Of a list that isn't sent nothing is left. Otherwise its batches are cancelled one after the other, by accept_uploads.
 * unsent_only: leaves one that has been sent as it is, and returns false.
 * actor: as for record_audit. Locks: the upload. Raises: P0002.
 */
create or replace function invite.cancel_upload(
  upload_id uuid, actor text default 'cli', at timestamptz default null, unsent_only boolean default false
) returns boolean
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_upload invite.uploads;
begin
  select u.* into v_upload from invite.uploads as u where u.id = cancel_upload.upload_id for update;
  if not found then
    raise exception 'there is no upload %', cancel_upload.upload_id using errcode = 'P0002';
  elsif v_upload.state in ('reading', 'checked') then
    delete from invite.uploads as u where u.id = v_upload.id;
  elsif cancel_upload.unsent_only then
    return false;
  elsif v_upload.state in ('sending', 'sent') then
    update invite.uploads as u
    set state = 'cancelling', next_at = invite.clock(invite.owner_time(cancel_upload.at)), waits_for = null, ended_at = null
    where u.id = v_upload.id;
    delete from invite.upload_lines as l where l.upload_id = v_upload.id and l.outcome in ('new', 'resting', 'outside_hours', 'capped', 'unsent');
    perform invite.record_audit(
      v_upload.workspace_id, cancel_upload.actor, 'list_cancelled', v_upload.name,
      jsonb_build_object('survey', s.title, 'upload', v_upload.id, 'people', v_upload.people, 'invited', v_upload.accepted))
    from invite.surveys as s
    where s.id = v_upload.survey_id;
    perform invite.queue_uploads();
  end if;
  return true;
end
$$;
comment on function invite.cancel_upload(uuid, text, timestamptz, boolean) is 'Discards an upload, or cancels what it has invited and invites nobody else.';
