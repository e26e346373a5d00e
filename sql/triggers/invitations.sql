/*
 * Computes the keys to delete from the deleted row, so that addresses and search_terms need no index by invitation.
 */
create or replace function invite.tg_invitations__deleted() returns trigger
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  delete from invite.addresses as a
  using deleted as i
  join invite.batches as b on b.id = i.batch_id
  where a.workspace_id = b.workspace_id and a.email = lower(i.email) and a.invitation_id = i.id;
  -- Waits for the terms that index_recipients is adding.
  perform from invite.queue_progress as p where p.queue = 'invitations' and exists (select from deleted as d where d.id >= p.read_from) for share;
  delete from invite.search_terms as x
  using deleted as i
  join invite.batches as b on b.id = i.batch_id
  cross join lateral unnest(
    invite.terms_of(b.workspace_id, i.name, coalesce(b.metadata, '{}') || coalesce(i.metadata, '{}'))) as t (term)
  where x.term = t.term and x.invitation_id = i.id;
  return null;
end
$$;
comment on function invite.tg_invitations__deleted() is 'Deletes the addresses and search terms of deleted invitations.';

create or replace trigger _500_deleted
  after delete on invite.invitations
  referencing old table as deleted
  for each statement
  execute function invite.tg_invitations__deleted();
comment on trigger _500_deleted on invite.invitations is 'Deletes the addresses and search terms of deleted invitations.';

/*
 * Only deletions are counted here. The functions that record a sent message, a bounce or a response count it themselves
 * (settle_invitations, confirm_invitations, record_outcomes, record_response). So the updates of this busy table call no trigger for that.
 */
create or replace function invite.tg_invitations__uncounted() returns trigger
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  insert into invite.result_changes (survey_id, starts_at, question, value, number)
  select d.survey_id, date_bin('15 minutes', d.sent_at, '2000-01-01 00:00Z'), '', v.value, -count(*)
  from deleted as d
  cross join lateral invite.counted_times(d.sent_at, d.responded_at, d.bounced_at) as v
  group by 1, 2, 4;
  return null;
end
$$;
comment on function invite.tg_invitations__uncounted() is 'Subtracts deleted invitations from the counts of Results.';

create or replace trigger _500_uncounted
  after delete on invite.invitations
  referencing old table as deleted
  for each statement
  execute function invite.tg_invitations__uncounted();
comment on trigger _500_uncounted on invite.invitations is 'Subtracts deleted invitations from the counts of Results.';

/*
 * The event is written in the transaction that causes it. Nothing is looked up here, because publish_events and list_events do that. If the
 * workspace records no events, the trigger's condition is false and the function isn't called. settle_invitations and confirm_invitations
 * record sent messages.
 */
create or replace function invite.tg_invitations__event() returns trigger
language plpgsql volatile
as $$
begin
  insert into invite.new_events (type, at, survey_id, batch_id, invitation_id, message_kind, code)
  values (
    ('invitation.' || new.status)::invite.event_type,
    coalesce(case when new.status = 'cancelled' then new.cancelled_at else new.failed_at end, clock_timestamp()),
    new.survey_id, new.batch_id, new.id, old.message_kind, case when new.status = 'failed' then new.last_error_code end);
  return null;
end
$$;
comment on function invite.tg_invitations__event() is 'Records that a message will not be sent.';

create or replace trigger _700_event
  after update on invite.invitations
  for each row
  when (new.records_events and new.status in ('failed', 'suppressed', 'cancelled') and new.status <> old.status)
  execute function invite.tg_invitations__event();
comment on trigger _700_event on invite.invitations is 'Records that the message will not be sent.';
