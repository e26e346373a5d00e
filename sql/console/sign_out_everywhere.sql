/*
 * Also uses up the person's unused sign-in links. Locks: the person (lock_sign_in).
 */
create function console.sign_out_everywhere(session_hash bytea) returns integer
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_email constant text := console.session_email(sign_out_everywhere.session_hash);
begin
  if v_email is null then
    return 0;
  end if;
  perform set_config('invite.actor', v_email, true);
  return invite.end_sessions(v_email);
end
$$;
comment on function console.sign_out_everywhere(bytea) is 'Ends all sessions of the person who uses this one. Returns how many.';
