create function console.sign_out(session_hash bytea) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform console.session_email(sign_out.session_hash);
  delete from invite.sessions as s where s.secret_hash = sign_out.session_hash;
end
$$;
comment on function console.sign_out(bytea) is 'Ends a session. One that has already ended is no error.';
