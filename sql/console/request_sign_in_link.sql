/*
 * issue_sign_in_link, in the worker, decides whether the address is a member's: here a known and an unknown address must take the same
 * time. Five requests an hour are accepted. A further one silently does nothing if a link of the last three minutes is unused, because that
 * one is on its way. So nobody can keep a member out by requesting links.
 *
 * browser_hash: SHA-256 of the secret in the browser's cookie. home: of the database that is asked, where several stand behind one address; null
 * for all. Locks: the address (lock_sign_in).
 * Raises: 23514 for a malformed address, or for a path that isn't this service's.
 */
create function console.request_sign_in_link(
  email text, next_path text default null, browser_hash bytea default null, at timestamptz default null, home text default null
) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_email constant text := lower(request_sign_in_link.email collate "C");
  v_now timestamptz;
  v_requests integer;
  v_recent boolean;
  v_id uuid;
begin
  perform invite.lock_sign_in(v_email);
  v_now := invite.clock(invite.owner_time(request_sign_in_link.at));
  select count(*), coalesce(bool_or(l.used_at is null and l.requested_at > v_now - interval '3 minutes'), false)
  into v_requests, v_recent
  from invite.sign_in_links as l
  where l.email = v_email and l.requested_at > v_now - interval '1 hour';
  if v_requests >= 5 and v_recent then
    return;
  end if;
  insert into invite.sign_in_links (email, next_path, browser_hash, requested_at)
  values (v_email, request_sign_in_link.next_path, request_sign_in_link.browser_hash, v_now)
  returning id into v_id;
  perform graphile_worker.add_job('send_sign_in_link', json_build_object('link_id', v_id), priority => -1);
end
$$;
comment on function console.request_sign_in_link(text, text, bytea, timestamptz, text) is
  'Queues the email with a sign-in link: five an hour for an address, then one every three minutes. Doesn''t reveal whether the address is known.';
