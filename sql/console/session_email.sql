create function console.session_email(session_hash bytea, at timestamptz default null) returns text
language sql stable
as $$
  select s.email
  from invite.sessions as s
  cross join (select coalesce(session_email.at, clock_timestamp()) as now) as n
  where s.secret_hash = session_email.session_hash
    and s.created_at > n.now - interval '14 days'
    and s.seen_at > n.now - interval '2 days'
$$;
comment on function console.session_email(bytea, timestamptz) is
  'The person who uses a session; null if it is unknown or has ended: 14 days after sign-in, or 2 days after it was last used.';
