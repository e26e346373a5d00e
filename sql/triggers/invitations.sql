/*
 * Computes the keys to delete from the deleted row, so that addresses and search_terms need no index by invitation.
 *
 * The messages are locked by a statement of its own: a reminder that was being queued is then deleted too. Those that were sent are
 * subtracted from the counts of Results. Sent messages, bounces and responses are counted by the functions that record them
 * (settle_invitations, confirm_invitations, record_outcomes, record_response), so that the updates of these busy tables call no trigger for that.
 */
create or replace function invite.tg_invitations__deleted() returns trigger
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform from invite.messages as m where m.invitation_id in (select d.id from deleted as d) order by m.invitation_id, m.number for update;
  with gone as (
    delete from invite.messages as m
    using deleted as d
    where m.invitation_id = d.id
    returning m.number, m.sent_at, d.survey_id, d.responded_at, d.bounced_at
  )
  insert into invite.result_changes (survey_id, starts_at, question, value, number)
  select g.survey_id, date_bin('15 minutes', g.sent_at, '2000-01-01 00:00Z'), '', v.value, -count(*)
  from gone as g
  cross join lateral invite.counted_times(g.number, g.sent_at, g.responded_at, g.bounced_at) as v
  group by 1, 2, 4;

  delete from invite.addresses as a
  using deleted as i
  where a.workspace_id = i.workspace_id and a.email = lower(i.email) and a.invitation_id = i.id;
  -- Waits for what index_recipients is adding.
  perform from invite.queue_progress as p where p.queue = 'invitations' and exists (select from deleted as d where d.id >= p.read_from and not invite.is_test(d.id)) for share;
  if exists (select from deleted as d where invite.is_test(d.id)) then
    delete from invite.test_emails as e where e.invitation_id in (select d.id from deleted as d);
    delete from invite.test_plans as p where p.invitation_id in (select d.id from deleted as d);
  end if;
  delete from invite.search_terms as x
  using deleted as i
  join invite.batches as b on b.id = i.batch_id
  cross join lateral unnest(
    invite.terms_of(i.workspace_id, coalesce(b.metadata, '{}') || coalesce(i.metadata, '{}'))) as t (term)
  where x.term = t.term and x.invitation_id = i.id;
  perform invite.renew_persons(array_agg(d.workspace_id), array_agg(lower(d.email collate "C"))) from deleted as d where d.email is not null;
  return null;
end
$$;
comment on function invite.tg_invitations__deleted() is
  'Deletes the messages, addresses, search terms and persons of deleted invitations, and subtracts the invitations from the counts of Results.';

create or replace trigger _500_deleted
  after delete on invite.invitations
  referencing old table as deleted
  for each statement
  execute function invite.tg_invitations__deleted();
comment on trigger _500_deleted on invite.invitations is 'Deletes what belongs to deleted invitations.';
