/*
 * Whether a link would sign in now. Reads only: mail scanners open links, and must not use them up.
 */
create function console.is_sign_in_link(link_hash bytea, at timestamptz default null) returns boolean
language sql stable security definer
set search_path = pg_catalog, pg_temp
as $$
  select exists (
    select from invite.sign_in_links as l
    where l.secret_hash = is_sign_in_link.link_hash
      and l.used_at is null
      and l.expires_at > coalesce(is_sign_in_link.at, clock_timestamp())
  )
$$;
comment on function console.is_sign_in_link(bytea, timestamptz) is 'Whether a sign-in link is good; never changes anything.';
