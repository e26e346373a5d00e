create type console.sign_in_link as (email text, other_browser boolean);
comment on type console.sign_in_link is
  'The person whom a link signs in, and whether another browser requested it. Nulls: the link is unknown, used or expired.';

/*
 * Mail scanners open links and must not use them up. A link that another browser requested works after a warning, because people also read
 * their email on other devices.
 */
create function console.find_sign_in_link(
  link_hash bytea, browser_hash bytea default null, at timestamptz default null
) returns console.sign_in_link
language sql stable security definer
set search_path = pg_catalog, pg_temp
as $$
  select row(l.email, l.browser_hash is not null and l.browser_hash is distinct from find_sign_in_link.browser_hash)::console.sign_in_link
  from invite.sign_in_links as l
  where l.secret_hash = find_sign_in_link.link_hash
    and l.used_at is null
    and l.expires_at > invite.now(invite.owner_time(find_sign_in_link.at))
$$;
comment on function console.find_sign_in_link(bytea, bytea, timestamptz) is 'The person whom a sign-in link signs in; never changes anything.';
