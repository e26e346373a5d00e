create type console.session as (
  id uuid, signed_in_at timestamptz, last_used_at timestamptz, client_address text, device text, ends_at timestamptz, current boolean
);
comment on type console.session is 'A session of the person who asks. current: whether it is the session that asks.';

create function console.sessions(session_hash bytea) returns setof console.session
language sql stable security definer
set search_path = pg_catalog, pg_temp
as $$
  select
    s.id, s.created_at, s.seen_at, s.client_address, s.device, invite.session_ends_at(s.created_at, s.seen_at),
    s.secret_hash = sessions.session_hash
  from invite.sessions as s
  where s.email = console.session_email(sessions.session_hash)
    and invite.session_ends_at(s.created_at, s.seen_at) > invite.now()
  order by s.secret_hash = sessions.session_hash desc, s.seen_at desc, s.created_at desc
  limit 100
$$;
comment on function console.sessions(bytea) is 'Where a person is signed in: this session first.';
