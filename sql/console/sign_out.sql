create function console.sign_out(session_hash bytea) returns void
language sql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
  with ended as (
    delete from invite.sessions as s where s.secret_hash = sign_out.session_hash returning s.email
  )
  select invite.record_sign_out(e.email, e.email, 1) from ended as e
$$;
comment on function console.sign_out(bytea) is 'Ends a session, and records it. One that has already ended is no error.';
