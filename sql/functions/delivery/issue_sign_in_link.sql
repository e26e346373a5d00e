/*
 * Stores the hash of a link's secret just before its email is sent. Null: no member has the address, the link was used, or requested
 * an hour ago. Each send has a new secret; the last one counts.
 *
 * Locks: the link's row.
 */
create or replace function invite.issue_sign_in_link(link_id uuid, secret_hash bytea, at timestamptz default null) returns text
language sql volatile
as $$
  with clock as (select invite.clock(issue_sign_in_link.at) as now)
  update invite.sign_in_links as l
  set secret_hash = issue_sign_in_link.secret_hash, expires_at = c.now + interval '10 minutes'
  from clock as c
  where l.id = issue_sign_in_link.link_id
    and l.used_at is null
    and l.requested_at > c.now - interval '1 hour'
    and exists (select from invite.members as m where m.email = l.email)
  returning l.email
$$;
comment on function invite.issue_sign_in_link(uuid, bytea, timestamptz) is
  'Arms a requested sign-in link. Returns the address to email it to; null: nothing is to be sent.';
