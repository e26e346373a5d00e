/*
 * Callers ask only if link_days is set, which costs the others nothing. Computed, so that a change of link_days moves the end of all links at
 * once. What was not sent, or isn't known to be, has no time from which to count.
 */
create or replace function invite.is_link_expired(survey invite.surveys, invitation_id bigint, at timestamptz) returns boolean
language sql stable
as $$
  select coalesce((
    select m.sent_at + survey.link_days * interval '24 hours' <= is_link_expired.at
    from invite.messages as m
    where m.invitation_id = is_link_expired.invitation_id and m.number = 0
  ), false)
$$;
comment on function invite.is_link_expired(invite.surveys, bigint, timestamptz) is
  'Whether the tracked link of an invitation of this survey has expired: link_days times 24 hours after its first email was sent.';
