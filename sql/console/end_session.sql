create function console.end_session(session_hash bytea, session_id uuid) returns integer
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  return invite.end_session(console.session_email(end_session.session_hash), end_session.session_id);
end
$$;
comment on function console.end_session(bytea, uuid) is
  'Ends one session of the person who uses this one. Returns 1, or 0 if that person has no such session.';
