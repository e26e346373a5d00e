/*
 * However a session is ended: by its person, by a command, with others. One that has expired is only tidied up.
 */
create or replace function invite.tg_sessions__ended() returns trigger
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform invite.record_audit(
    m.workspace_id, invite.current_actor(), 'signed_out', m.email, jsonb_build_object('sessions', e.sessions))
  from (
    select r.email, count(*) as sessions
    from removed as r
    where invite.session_ends_at(r.created_at, r.seen_at) > invite.clock()
    group by r.email
  ) as e
  join invite.members as m on m.email = e.email;
  return null;
end
$$;
comment on function invite.tg_sessions__ended() is 'Records in the audit log of each of a person''s workspaces that the person is signed out.';

create or replace trigger _500_ended
  after delete on invite.sessions
  referencing old table as removed
  for each statement
  execute function invite.tg_sessions__ended();
comment on trigger _500_ended on invite.sessions is 'Records that a person is signed out.';
