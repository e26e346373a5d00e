create or replace function invite.end_session(email text, session_id uuid) returns integer
language sql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
  with ended as (
    delete from invite.sessions as s
    where s.email = lower(end_session.email collate "C") and s.id = end_session.session_id
    returning s.id
  )
  select count(*)::integer from ended
$$;
comment on function invite.end_session(text, uuid) is 'Ends one session of a person. Returns 1, or 0 if the person has no such session.';
