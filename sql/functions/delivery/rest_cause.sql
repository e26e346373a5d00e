create or replace function invite.rest_cause(invitation_id bigint, out survey_id text, out survey_title text, out sent_at timestamptz)
language sql stable
as $$
  select s.id, s.title, coalesce(m.sent_at, m.unconfirmed_since)
  from invite.invitations as i
  join invite.addresses as a on a.workspace_id = i.workspace_id and a.email = lower(i.email) and a.invitation_id <> i.id
  join invite.messages as m on m.invitation_id = a.invitation_id and m.number = 0
  join invite.surveys as s on s.id = m.survey_id
  where i.id = rest_cause.invitation_id and num_nonnulls(m.sent_at, m.unconfirmed_since) > 0
  order by 3 desc
  limit 1
$$;
comment on function invite.rest_cause(bigint) is 'The last invitation to the same address that left, or may have left: what an invitation rests for.';
