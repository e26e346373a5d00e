/*
 * Also sets the name for the audit log (current_actor).
 */
create function console.session_email(session_hash bytea, at timestamptz default null) returns text
language sql stable
as $$
  select set_config('invite.actor', s.email, true)
  from invite.sessions as s
  cross join (select invite.now(session_email.at) as now) as n
  where s.secret_hash = session_email.session_hash
    and invite.session_ends_at(s.created_at, s.seen_at) > n.now
$$;
comment on function console.session_email(bytea, timestamptz) is
  'The person who uses a session; null if it is unknown or has ended.';
