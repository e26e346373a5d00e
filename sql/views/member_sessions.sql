create or replace view invite.member_sessions as
select
  s.email, s.created_at as signed_in_at, s.seen_at as last_used_at, s.client_address,
  least(s.created_at + interval '14 days', s.seen_at + interval '2 days') as ends_at
from invite.sessions as s
where least(s.created_at + interval '14 days', s.seen_at + interval '2 days') > statement_timestamp();
comment on view invite.member_sessions is 'Who is signed in, since when and from which address. end_sessions signs a person out everywhere.';
