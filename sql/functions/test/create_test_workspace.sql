/*
 * Copies the settings, caps and surveys of a workspace, each survey in its state, and starts the clock at the present time. Tokens aren't copied:
 * they need secrets of their own (sit_test_…). Events are recorded, so that webhooks can be tried.
 * id: null: made of the workspace's.
 *
 * Raises: P0002; 54000 workspaces_test_count if there are five already, or the workspace is a test itself; 23505 workspaces_pkey.
 */
create or replace function invite.create_test_workspace(workspace_id text, id text default null) returns text
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_now constant timestamptz := date_trunc('second', invite.clock());
  v_workspace invite.workspaces;
  v_id text;
begin
  perform invite.require_workspace(create_test_workspace.workspace_id);
  select w.* into v_workspace from invite.workspaces as w where w.id = create_test_workspace.workspace_id for no key update;
  if v_workspace.test_of is not null
    or (select count(*) from invite.workspaces as w where w.test_of = v_workspace.id) >= 5
  then
    raise exception 'workspace % can have no further test workspace (workspaces_test_count)', v_workspace.id
      using errcode = '54000', constraint = 'workspaces_test_count', table = 'workspaces', schema = 'invite';
  end if;
  v_id := coalesce(create_test_workspace.id, (
    select left(v_workspace.id, 57) || '-test' || coalesce('-' || nullif(n, 1), '')
    from generate_series(1, 6) as n
    where not exists (
      select from invite.workspaces as w where w.id = left(v_workspace.id, 57) || '-test' || coalesce('-' || nullif(n, 1), ''))
    order by n
    limit 1));
  insert into invite.workspaces
  select (jsonb_populate_record(v_workspace, jsonb_build_object(
    'id', v_id, 'home', invite.new_home(), 'wording', null, 'link_key', uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()), 'test_of', v_workspace.id, 'test_now', v_now, 'records_events', true, 'suspended_at', null, 'paused_at', null,
    'guarded_at', null, 'guard_warned_at', null, 'guard_since', null, 'created_at', v_now))).*;
  insert into invite.wordings (workspace_id, language, words, originals, informal, spoken)
  select v_id, o.language, o.words, o.originals, o.informal, o.spoken from invite.wordings as o where o.workspace_id = v_workspace.id;
  update invite.workspaces as w set wording = invite.wording_key(w) where w.id = v_id and v_workspace.wording is not null;
  insert into invite.members (workspace_id, email, role)
  select v_id, m.email, m.role from invite.members as m where m.workspace_id = v_workspace.id;
  insert into invite.caps
  select (jsonb_populate_record(c, jsonb_build_object(
    'workspace_id', v_id, 'earned_until', case when c.earned_until is not null then (v_now at time zone 'UTC')::date end))).*
  from invite.caps as c where c.workspace_id = v_workspace.id;
  insert into invite.surveys
  select (jsonb_populate_record(s, jsonb_build_object(
    'id', gen_random_uuid(), 'workspace_id', v_id, 'public_url', null, 'disabled_at', null, 'paused_at', null, 'questions_version', 1,
    'state', case when s.closes_at <= v_now then 'closed' else s.state end, 'closes_at', case when s.closes_at > v_now then s.closes_at end,
    'activated_at', case when s.state = 'active' then v_now end, 'created_at', v_now + row_number() over (order by s.created_at, s.id) * interval '1 microsecond'))).*
  from invite.surveys as s
  where s.workspace_id = v_workspace.id and s.deletion_started_at is null;
  perform invite.record_audit(v_workspace.id, invite.current_actor(), 'test_workspace_created', v_workspace.name, jsonb_build_object('test_workspace', v_id));
  return v_id;
end
$$;
comment on function invite.create_test_workspace(text, text) is
  'Creates a test workspace beside a workspace, with copies of its settings, members and surveys. Returns its id.';
