/*
 * When sending is resumed for everyone, heal_invitations requeues the waiting invitations. It runs at once, and again two seconds later,
 * because a claim that still saw the pause may have written others meanwhile.
 */
create or replace function invite.tg_settings__resumed() returns trigger
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform graphile_worker.add_job('heal_invitations', priority => -1);
  perform graphile_worker.add_job('heal_invitations', run_at => invite.clock() + interval '2 seconds', priority => -1);
  return null;
end
$$;
comment on function invite.tg_settings__resumed() is 'Queues the requeueing of all invitations that waited for sending to be resumed.';

create or replace trigger _500_resumed
  after update on invite.settings
  for each row
  when (invite.hold_of_settings(new) is null and invite.hold_of_settings(old) is not null)
  execute function invite.tg_settings__resumed();
comment on trigger _500_resumed on invite.settings is 'Requeues waiting invitations when sending is resumed for everyone.';

create or replace function invite.tg_settings__audit() returns trigger
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform invite.record_audit(
    null, invite.current_actor(), case when new.paused_at is null then 'sending_resumed' else 'sending_paused' end::invite.audit_action, null,
    '{"scope": "all"}');
  return null;
end
$$;
comment on function invite.tg_settings__audit() is 'Records in the audit log who paused or resumed sending for everyone.';

create or replace trigger _600_audit
  after update of paused_at on invite.settings
  for each row
  when ((new.paused_at is null) <> (old.paused_at is null))
  execute function invite.tg_settings__audit();
comment on trigger _600_audit on invite.settings is 'Records in the audit log who paused or resumed sending for everyone.';
