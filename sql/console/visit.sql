/*
 * Who comes with a session, and which workspaces that person has. Notes that the session is used, at most every five minutes: not each
 * page is worth a write. Returns nulls if the session is unknown or has ended.
 *
 * Called by: the HTTP process, first for every page. Locks: the session's row, if it is noted.
 */
create or replace function invite.visit(session_hash bytea, at timestamptz default null) returns invite.visitor
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_now timestamptz := coalesce(visit.at, clock_timestamp());
  v_visitor invite.visitor;
begin
  v_visitor.email := invite.session_email(visit.session_hash, v_now);
  if v_visitor.email is null then
    return v_visitor;
  end if;
  update invite.sessions as s set seen_at = v_now
  where s.secret_hash = visit.session_hash and s.seen_at < v_now - interval '5 minutes';
  select coalesce(jsonb_agg(jsonb_build_object('id', w.id, 'name', w.name, 'role', m.role) order by lower(w.name), w.id), '[]')
  into v_visitor.workspaces
  from invite.members as m
  join invite.workspaces as w on w.id = m.workspace_id
  where m.email = v_visitor.email;
  return v_visitor;
end
$$;
comment on function invite.visit(bytea, timestamptz) is 'Who uses a session, and the workspaces of that person.';
