/*
 * Sets what will become of each line, and the forecast. Call it after the last line, after columns have changed, and to look again.
 *
 * columns, digest: null: as they are. send_at: local time in time_zone; null: as soon as possible. The forecast's hours are in time_zone too.
 *
 * Locks: the upload (for no key update). Pins: enable_nestloop = off, because how long the list is isn't known when the plan is made.
 * Raises: P0002; 23514 uploads_sent, uploads_send_at_range.
 */
create or replace function invite.check_upload(
  upload_id uuid, columns jsonb default null, digest bytea default null, send_at timestamp default null, time_zone text default null,
  at timestamptz default null
) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp set enable_seqscan = off set enable_nestloop = off set jit = off
as $$
declare
  v_upload invite.uploads := invite.lock_unsent_upload(check_upload.upload_id);
  v_now constant timestamptz := invite.clock_of(v_upload.workspace_id, invite.owner_time(check_upload.at));
  v_zone constant text := invite.zone_of(check_upload.time_zone);
  v_workspace invite.workspaces;
  v_pending invite.pending_message[];
  v_messages invite.pending_message[];
begin
  select w.* into v_workspace from invite.workspaces as w where w.id = v_upload.workspace_id;
  v_upload.send_at := invite.upload_time(v_upload, check_upload.send_at, check_upload.time_zone, invite.owner_time(check_upload.at));

  update invite.upload_lines as l
  set outcome = case when n.is_repeated then 'repeated' else 'new' end::invite.line_outcome, leaves_at = null, reason = null
  from (
    select x.number, row_number() over (partition by x.email order by x.number) > 1 as is_repeated
    from invite.upload_lines as x
    where x.upload_id = v_upload.id and x.email is not null
  ) as n
  where l.upload_id = v_upload.id and l.number = n.number and (l.outcome = 'repeated') <> n.is_repeated;

  v_pending := array(select p from invite.pending_of_upload(v_upload, v_now) as p);
  v_messages := array(select m from invite.forecast_pending(v_pending, v_workspace) as m);
  -- Most lines stay as they are.
  update invite.upload_lines as l
  set outcome = n.outcome, leaves_at = n.leaves_at, reason = n.reason
  from (
    select
      m.invitation_id as number, case when m.leaves_at > v_now then m.leaves_at end as leaves_at, m.reason,
      case
        when m.reason in ('suppressed', 'declined') then m.reason::text
        when m.reason is not null then 'unsent'
        when m.leaves_at <= m.planned_at then 'new'
        when m.is_capped then 'capped'
        when p.left_at + p.rest_days * interval '24 hours' > p.due_at then 'resting'
        else 'outside_hours'
      end::invite.line_outcome as outcome
    from unnest(v_messages) as m
    join unnest(v_pending) as p on p.invitation_id = m.invitation_id
  ) as n
  where l.upload_id = v_upload.id and l.number = n.number
    and (l.outcome, l.leaves_at, l.reason) is distinct from (n.outcome, n.leaves_at, n.reason);

  update invite.uploads as u
  set
    state = 'checked', columns = coalesce(check_upload.columns, u.columns), digest = coalesce(check_upload.digest, u.digest),
    send_at = v_upload.send_at, checked_at = invite.clock(invite.owner_time(check_upload.at)),
    people = (
      select count(*) from invite.upload_lines as l
      where l.upload_id = v_upload.id and l.outcome in ('new', 'resting', 'outside_hours', 'capped', 'unsent')),
    forecast = to_jsonb(invite.sum_up_forecast(v_messages, v_workspace, v_zone, v_now))
  where u.id = v_upload.id;
end
$$;
comment on function invite.check_upload(uuid, jsonb, bytea, timestamp, text, timestamptz) is
  'Says of each line of an upload what will become of it, and when its emails will leave.';
