/*
 * Before what can't be undone, or lets others in: somebody who finds a browser open, or has stolen its cookie, can't open the emailed link.
 * Raises: IT403 sessions_recent_sign_in.
 */
create function console.require_recent_sign_in(session_hash bytea) returns void
language plpgsql stable
as $$
begin
  if not exists (
    select from invite.sessions as s
    where s.secret_hash = require_recent_sign_in.session_hash and s.created_at > invite.now() - interval '15 minutes'
  ) then
    raise exception 'this requires a sign-in of the last 15 minutes (sessions_recent_sign_in)'
      using errcode = 'IT403', constraint = 'sessions_recent_sign_in';
  end if;
end
$$;
comment on function console.require_recent_sign_in(bytea) is 'Raises IT403 unless the person who uses a session signed in within the last 15 minutes.';
