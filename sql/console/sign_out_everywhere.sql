/*
 * Also uses up the person's unused sign-in links. Locks: the person (lock_sign_in).
 */
create function console.sign_out_everywhere(session_hash bytea) returns integer
language sql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
  select coalesce(max(invite.end_sessions(m.email)), 0)
  from (select console.session_email(sign_out_everywhere.session_hash) as email) as m
  where m.email is not null
$$;
comment on function console.sign_out_everywhere(bytea) is 'Ends all sessions of the person who uses this one. Returns how many.';
