/*
 * accept_uploads accepts its batches, with the first at once. What has changed since it was checked counts: who must not be emailed by now isn't
 * invited, and the rules decide about each email.
 *
 * send_at: local time in time_zone; null: as soon as possible; without time_zone: as it was checked.
 * again: send it although the same list was sent to the survey before. actor: as for record_audit.
 * A workspace sends at most 10 lists at a time.
 *
 * Locks: the upload (for no key update), the survey (for key share, by the foreign key).
 * Raises: P0002; 23514 uploads_sent, uploads_unchecked, uploads_empty, uploads_repeated, uploads_many, uploads_send_at_range.
 */
create or replace function invite.send_upload(
  upload_id uuid, again boolean default false, actor text default 'cli', send_at timestamp default null, time_zone text default null,
  at timestamptz default null
) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_upload invite.uploads := invite.lock_unsent_upload(send_upload.upload_id);
  v_now constant timestamptz := invite.clock(invite.owner_time(send_upload.at));
  v_error constant text := case
    when v_upload.state = 'reading' then 'uploads_unchecked'
    when v_upload.people = 0 then 'uploads_empty'
    when not send_upload.again and invite.sent_before(v_upload) is not null then 'uploads_repeated'
    when (
      select count(*) >= 10 from invite.uploads as u where u.workspace_id = v_upload.workspace_id and u.state in ('sending', 'cancelling')
    ) then 'uploads_many'
  end;
begin
  if send_upload.time_zone is not null then
    v_upload.send_at := invite.upload_time(v_upload, send_upload.send_at, send_upload.time_zone, invite.owner_time(send_upload.at));
  end if;
  if v_error is not null then
    raise exception 'upload % cannot be sent (%)', v_upload.id, v_error
      using errcode = '23514', constraint = v_error, table = 'uploads', schema = 'invite';
  end if;
  perform invite.upload_token(v_upload.survey_id);
  update invite.uploads as u
  set state = 'sending', send_at = v_upload.send_at, sent_by = send_upload.actor, sent_at = v_now, next_at = v_now
  where u.id = v_upload.id;
  perform invite.record_audit(
    v_upload.workspace_id, send_upload.actor, 'list_sent', v_upload.name,
    jsonb_build_object('survey', s.title, 'upload', v_upload.id, 'people', v_upload.people, 'lines', v_upload.lines, 'send_at', v_upload.send_at))
  from invite.surveys as s
  where s.id = v_upload.survey_id;
  perform invite.queue_uploads();
end
$$;
comment on function invite.send_upload(uuid, boolean, text, timestamp, text, timestamptz) is 'Invites the people of a checked upload.';
