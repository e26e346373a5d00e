/*
 * Invitations as a survey's page shows them, in the order of their ids' list. Why a mail has not left is said by unsent_causes; what may
 * leave now has no job looked for, because that costs a look at all jobs.
 * A subselect, because a join with the view has too many tables to be planned as one, and would then read all that has not left.
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
      (select coalesce(u.cause, u.blocked_by, 'it is about to be sent') from invite.unsent_causes as u where u.id = i.id),
      i.due_at, i.sent_at, i.reminded_at, i.responded_at, i.cancelled_at, i.attempts, i.last_error,
      i.status, i.last_error_code, null::jsonb
    from unnest(invitation_lines.invitation_ids) with ordinality as l (id, place)
    join invite.invitations as i on i.id = l.id
    order by l.place;
end
$$;
comment on function invite.invitation_lines(bigint[]) is 'Invitations as a survey''s page shows them, in the order given.';
