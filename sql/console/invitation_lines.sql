/*
 * Invitations as a survey's page shows them, in the order of their ids' list. Why an email hasn't been sent is what
 * unsent_invitations says: no job is looked for, because that costs a look at all jobs.
 * The view is asked invitation by invitation (offset 0): joined, it has too many tables to be planned as one, and all unsent email is read.
 * The plan is pinned to lookups by primary key, as in claim_invitations. Called by: survey_invitations, survey_invitation.
 */
create or replace function invite.invitation_lines(invitation_ids bigint[]) returns setof invite.invitation_line
language plpgsql stable
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
begin
  return query
    select
      i.id, i.batch_id, i.email, i.name, invite.shown_status(i.status, i.mail), i.mail,
      i.due_at, i.sent_at, i.reminded_at, i.responded_at, i.cancelled_at, i.attempts, i.last_error,
      i.status, i.last_error_code, null::jsonb,
      u.unsent_reason, u.hold_reason, u.suppression_reason, u.suppressed_at, u.relay, u.relay_code
    from unnest(invitation_lines.invitation_ids) with ordinality as l (id, place)
    join invite.invitations as i on i.id = l.id
    left join lateral (select v.* from invite.unsent_invitations as v where v.id = i.id offset 0) as u on true
    order by l.place;
end
$$;
comment on function invite.invitation_lines(bigint[]) is 'Invitations as a survey''s page shows them, in the order given.';
