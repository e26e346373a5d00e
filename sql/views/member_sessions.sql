create or replace view invite.member_sessions as
select
  s.email, s.created_at as signed_in_at, s.seen_at as last_used_at, s.client_address,
  invite.session_ends_at(s.created_at, s.seen_at) as ends_at, s.id as session_id, s.device
from invite.sessions as s
where invite.session_ends_at(s.created_at, s.seen_at) > invite.now();
comment on view invite.member_sessions is
  'The people who are signed in, since when, from which IP address and device. end_session ends one, end_sessions all of a person.';
