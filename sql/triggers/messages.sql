create or replace function invite.tg_messages__test() returns trigger
language plpgsql volatile
as $$
begin
  new.sweep_at := 'infinity';
  return new;
end
$$;
comment on function invite.tg_messages__test() is 'Keeps the sweep away.';

create or replace trigger _100_test
  before insert or update on invite.messages
  for each row
  when (new.sweep_at is not null and invite.is_test(new.invitation_id))
  execute function invite.tg_messages__test();
comment on trigger _100_test on invite.messages is 'Nothing sweeps the messages of test workspaces: begin_test_step looks at them when their time comes.';

/*
 * The event is written in the transaction that causes it. If the workspace records no events, the trigger's condition is false and the
 * function isn't called. settle_invitations and confirm_invitations record sent messages.
 */
create or replace function invite.tg_messages__event() returns trigger
language plpgsql volatile
as $$
begin
  insert into invite.new_events (type, at, survey_id, batch_id, invitation_id, message_kind, code)
  select
    ('invitation.' || new.status)::invite.event_type,
    coalesce(case new.status when 'cancelled' then new.cancelled_at when 'skipped' then new.skipped_at else new.failed_at end, invite.clock()),
    new.survey_id, i.batch_id, i.id, new.message_kind, case new.status when 'failed' then new.last_error_code when 'skipped' then new.rule::text end
  from invite.invitations as i
  where i.id = new.invitation_id;
  return null;
end
$$;
comment on function invite.tg_messages__event() is 'Records that a message will not be sent.';

create or replace trigger _700_event
  after update on invite.messages
  for each row
  when (new.records_events and new.status in ('failed', 'suppressed', 'cancelled', 'skipped') and new.status <> old.status)
  execute function invite.tg_messages__event();
comment on trigger _700_event on invite.messages is 'Records that the message will not be sent.';

/*
 * Without a lock on the caps, so that nobody who cancels or erases waits for a claim. What a claim sends or promises again, plan_places counts.
 */
create or replace function invite.tg_messages__released() returns trigger
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  insert into invite.cap_releases (workspace_id, not_before, sender_domain, recipient_domain, is_small)
  select
    w.id, old.not_before, invite.domain_of(invite.sender_of(w.sender, b.sender) ->> 'email'), invite.domain_of(i.email),
    b.recipients <= 10 or old.attempts > 0
  from invite.invitations as i
  join invite.batches as b on b.id = i.batch_id
  join invite.workspaces as w on w.id = i.workspace_id
  where i.id = old.invitation_id and i.email is not null;
  return null;
end
$$;
comment on function invite.tg_messages__released() is 'Notes that a message doesn''t use the place that it was promised.';

create or replace trigger _500_released
  after update on invite.messages
  for each row
  when (
    old.rule = 'capped' and old.status = 'queued' and new.status <> 'sending' and (new.status <> 'queued' or new.rule is distinct from 'capped'))
  execute function invite.tg_messages__released();
comment on trigger _500_released on invite.messages is 'Frees the place under caps that the message was promised.';
