/*
 * Queues the email with a sign-in link. Whether the address is a member's is for issue_sign_in_link to decide, in the worker: here an
 * unknown address must take the same time as a known one. More than five requests an hour for an address do nothing, silently.
 *
 * Locks: an advisory lock on the address, so that requests at once cannot pass the limit together.
 * Raises: 23514 for a malformed address, or for a path that isn't this service's.
 */
create function console.request_sign_in_link(email text, next_path text default null, at timestamptz default null) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_email constant text := lower(request_sign_in_link.email);
  v_now timestamptz;
  v_id uuid;
begin
  perform pg_advisory_xact_lock(hashtextextended('invite.sign_in ' || v_email, 0));
  v_now := coalesce(request_sign_in_link.at, clock_timestamp());
  if (
    select count(*) from invite.sign_in_links as l where l.email = v_email and l.requested_at > v_now - interval '1 hour'
  ) >= 5 then
    return;
  end if;
  insert into invite.sign_in_links (email, next_path, requested_at)
  values (v_email, request_sign_in_link.next_path, v_now)
  returning id into v_id;
  perform graphile_worker.add_job('send_sign_in_link', json_build_object('link_id', v_id), priority => -1);
end
$$;
comment on function console.request_sign_in_link(text, text, timestamptz) is
  'Queues the email with a sign-in link, at most five an hour for an address; does not reveal whether the address is known.';
