create type console.signed_in as (email text, next_path text);
comment on type console.signed_in is 'The person who has signed in, and the page to go on to. Nulls: the link is unknown, used or expired.';

/*
 * Uses up a sign-in link and opens a session. The update is the check: of two calls at once, one signs in.
 * Locks: the link's row.
 */
create function console.sign_in(link_hash bytea, session_hash bytea, at timestamptz default null) returns console.signed_in
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_now timestamptz := coalesce(sign_in.at, clock_timestamp());
  v_signed_in console.signed_in;
begin
  update invite.sign_in_links as l set used_at = v_now
  where l.secret_hash = sign_in.link_hash and l.used_at is null and l.expires_at > v_now
  returning l.email, l.next_path into v_signed_in;
  if v_signed_in.email is not null then
    insert into invite.sessions (secret_hash, email, created_at, seen_at)
    values (sign_in.session_hash, v_signed_in.email, v_now, v_now);
  end if;
  return v_signed_in;
end
$$;
comment on function console.sign_in(bytea, bytea, timestamptz) is 'Uses up a sign-in link, once, and opens a session.';
