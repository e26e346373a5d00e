create type console.visitor as (email text, workspaces jsonb, workspace_id text, session_id uuid);
comment on type console.visitor is
  'The person who uses a session, and that person''s workspaces: [{id, name, role, home, test, pause}], test workspaces after their real one. test: {of, '
  'name, now}: the id and name of the real one, and what the clock says; null: the workspace is real. pause: {scope, at, by}: what pauses all email of the '
  'workspace (scope: service, guard or workspace), since when, and by whom, for owners and admins; null: nothing. workspace_id: the workspace of the requested '
  'survey, if the person is a member of it. session_id: for the log. Nulls: the session is unknown or has ended.';

/*
 * Records the use of the session at most every five minutes, to save writes.
 * Locks: the session's row, if the use is recorded.
 */
create function console.authenticate(session_hash bytea, survey_id text default null, at timestamptz default null) returns console.visitor
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_now timestamptz := invite.clock(invite.owner_time(authenticate.at));
  v_visitor console.visitor;
begin
  v_visitor.email := console.session_email(authenticate.session_hash, v_now);
  if v_visitor.email is null then
    return v_visitor;
  end if;
  update invite.sessions as s set seen_at = v_now
  where s.secret_hash = authenticate.session_hash and s.seen_at < v_now - interval '5 minutes';
  select
    coalesce(jsonb_agg(
      jsonb_build_object(
        'id', w.id, 'name', w.name, 'role', m.role, 'home', w.home,
        'test', case when w.test_of is not null then jsonb_build_object('of', r.id, 'name', r.name, 'now', w.test_now) end,
        'pause', case
          when g.paused_at is not null then jsonb_build_object('scope', 'service', 'at', g.paused_at)
          when w.guarded_at is not null then jsonb_build_object('scope', 'guard', 'at', w.guarded_at)
          when w.paused_at is not null then jsonb_build_object(
            'scope', 'workspace', 'at', w.paused_at,
            'by', case when m.role <= 'admin' then console.paused_by(w.id, 'workspace', null, w.paused_at) end)
        end)
      order by lower(r.name), r.id, w.test_of is not null, w.created_at, w.id), '[]'),
    min(w.id) filter (where w.id = (select s.workspace_id from invite.surveys as s where s.id = authenticate.survey_id)),
    (select s.id from invite.sessions as s where s.secret_hash = authenticate.session_hash)
  into v_visitor.workspaces, v_visitor.workspace_id, v_visitor.session_id
  from invite.members as m
  join invite.workspaces as w on w.id = m.workspace_id
  join invite.workspaces as r on r.id = coalesce(w.test_of, w.id)
  cross join invite.settings as g
  where m.email = v_visitor.email;
  return v_visitor;
end
$$;
comment on function console.authenticate(bytea, text, timestamptz) is 'The person who uses a session, and that person''s workspaces.';
