/*
 * Can be repeated, in any order: the first outcome of each kind stays. Bounces of sent invitations are counted for the Results, unless
 * there is a response.
 *
 * The caller has locked the invitations (lock_reported). Locks: inserts in the order of the key, so that two calls cannot wait for each other.
 */
create or replace function invite.record_outcomes(events invite.relay_events[]) returns void
language plpgsql volatile
as $$
declare
  v_bounced bigint[] := array(select e.invitation_id from unnest(record_outcomes.events) as e where e.type = 'hard_bounce');
begin
  insert into invite.invitation_outcomes (invitation_id, outcome, survey_id, at)
  select i.id, invite.outcome_of(e.type), i.survey_id, min(e.occurred_at)
  from unnest(record_outcomes.events) as e
  join invite.invitations as i on i.id = e.invitation_id
  where e.type is not null
  group by i.id, invite.outcome_of(e.type)
  order by i.id, invite.outcome_of(e.type)
  on conflict on constraint invitation_outcomes_pkey do nothing;
  perform invite.queue_guard_checks(array(
    select i.workspace_id
    from unnest(record_outcomes.events) as e
    join invite.invitations as i on i.id = e.invitation_id
    where e.type in ('hard_bounce', 'complaint') and not invite.is_test(i.id)));
  if v_bounced = '{}' then
    return;
  end if;

  with bounced as (
    update invite.invitations as i
    set bounced_at = o.at
    from invite.invitation_outcomes as o
    where i.id = any (v_bounced) and i.bounced_at is null and o.invitation_id = i.id and o.outcome = 'bounced'
    returning i.id, i.survey_id, i.responded_at
  )
  insert into invite.result_changes (survey_id, starts_at, question, value, number)
  select b.survey_id, date_bin('15 minutes', m.sent_at, '2000-01-01 00:00Z'), '', 'bounced', count(*)
  from bounced as b
  join invite.messages as m on m.invitation_id = b.id and m.number = 0
  where m.sent_at is not null and b.responded_at is null
  group by 1, 2;
end
$$;
comment on function invite.record_outcomes(invite.relay_events[]) is 'Records the outcomes of invitations that relay events report.';
