create or replace function invite.session_ends_at(created_at timestamptz, seen_at timestamptz) returns timestamptz
language sql stable
as $$
  select least(session_ends_at.created_at + interval '14 days', session_ends_at.seen_at + interval '2 days')
$$;
comment on function invite.session_ends_at(timestamptz, timestamptz) is
  'When a session ends: 14 days after sign-in, or 2 days after it was last used.';
