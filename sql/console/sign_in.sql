create type console.signed_in as (email text, next_path text);
comment on type console.signed_in is 'The person who has signed in, and the page to go on to. Nulls: the link is unknown, used or expired.';

/*
 * Links that are still to be emailed are used up too. The sign-in is recorded in the audit log of each of the person's workspaces. A former
 * member isn't signed in.
 * Locks: the person (lock_sign_in): of two calls at once, one signs in.
 */
create function console.sign_in(
  link_hash bytea, session_hash bytea, client_address text default null, device text default null, at timestamptz default null
) returns console.signed_in
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_now timestamptz;
  v_signed_in console.signed_in;
begin
  perform invite.lock_sign_in(l.email) from invite.sign_in_links as l where l.secret_hash = sign_in.link_hash;
  v_now := invite.clock(invite.owner_time(sign_in.at));
  update invite.sign_in_links as l set used_at = v_now
  where l.secret_hash = sign_in.link_hash and l.used_at is null and l.expires_at > v_now
    and exists (select from invite.members as m where m.email = l.email)
  returning l.email, l.next_path into v_signed_in;
  if v_signed_in.email is not null then
    update invite.sign_in_links as l set used_at = v_now where l.email = v_signed_in.email and l.used_at is null;
    insert into invite.sessions (secret_hash, email, client_address, device, created_at, seen_at)
    values (sign_in.session_hash, v_signed_in.email, left(sign_in.client_address, 64), left(sign_in.device, 64), v_now, v_now);
    perform invite.record_audit(
      m.workspace_id, m.email, 'signed_in', m.email, jsonb_build_object('address', left(sign_in.client_address, 64)))
    from invite.members as m
    where m.email = v_signed_in.email;
  end if;
  return v_signed_in;
end
$$;
comment on function console.sign_in(bytea, bytea, text, text, timestamptz) is
  'Signs a person in by a link and opens a session. The link and the person''s other links are then used up.';
