/*
 * An event belongs to a survey, because tokens read those of their survey. Of the newest 1,000.
 */
create or replace function invite.record_guard_events(workspace invite.workspaces, type invite.event_type, at timestamptz) returns void
language sql volatile
as $$
  insert into invite.new_events (type, at, survey_id, code)
  select record_guard_events.type, record_guard_events.at, s.id, 'guard'
  from invite.surveys as s
  where s.workspace_id = (record_guard_events.workspace).id and s.state = 'active' and (record_guard_events.workspace).records_events
  order by s.created_at desc, s.id
  limit 1000
$$;
comment on function invite.record_guard_events(invite.workspaces, invite.event_type, timestamptz) is
  'Records for each active survey of a workspace that the guard holds or releases its email.';
