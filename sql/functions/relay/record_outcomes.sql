/*
 * Repeatable, in any order: the first of each kind stays. Locks: inserts in the order of the key, so that two calls cannot wait for
 * each other.
 */
create or replace function invite.record_outcomes(events invite.relay_events[]) returns void
language sql volatile
as $$
  insert into invite.invitation_outcomes (invitation_id, outcome, survey_id, at)
  select i.id, invite.outcome_of(e.type), i.survey_id, min(e.occurred_at)
  from unnest(record_outcomes.events) as e
  join invite.invitations as i on i.id = e.invitation_id
  where e.type is not null
  group by i.id, invite.outcome_of(e.type)
  order by i.id, invite.outcome_of(e.type)
  on conflict on constraint invitation_outcomes_pkey do nothing
$$;
comment on function invite.record_outcomes(invite.relay_events[]) is 'Records what relay events say about their invitations.';
