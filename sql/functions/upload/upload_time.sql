/*
 * Raises: 23514 uploads_send_at_range.
 */
create or replace function invite.upload_time(upload invite.uploads, send_at timestamp, time_zone text, at timestamptz) returns timestamptz
language plpgsql volatile
as $$
declare
  v_now constant timestamptz := invite.clock_of((upload).workspace_id, upload_time.at);
  v_at constant timestamptz := upload_time.send_at at time zone invite.zone_of(upload_time.time_zone);
begin
  if v_at not between v_now and v_now + interval '1 year' then
    raise exception 'an upload is sent within a year from now (uploads_send_at_range)'
      using errcode = '23514', constraint = 'uploads_send_at_range', table = 'uploads', schema = 'invite';
  end if;
  return v_at;
end
$$;
comment on function invite.upload_time(invite.uploads, timestamp, text, timestamptz) is 'When an upload is due: a local time within a year from now. Null: at once.';
