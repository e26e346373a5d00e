create or replace function invite.tg_workspaces__sendable() returns trigger
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform graphile_worker.add_job('requeue_workspace', json_build_object('workspace_id', new.id), priority => -1);
  return null;
end
$$;
comment on function invite.tg_workspaces__sendable() is 'Queues the requeueing of a workspace that may have become sendable.';

create or replace trigger _500_sendable
  after update on invite.workspaces
  for each row
  when (invite.hold_of_workspace(new) is null and (invite.hold_of_workspace(old) is not null or old.plan_id <> new.plan_id))
  execute function invite.tg_workspaces__sendable();
comment on trigger _500_sendable on invite.workspaces is 'Requeues waiting invitations when the workspace may have become sendable.';

create or replace function invite.tg_workspaces__rules_changed() returns trigger
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform invite.queue_looks('requeue_workspace', json_build_object('workspace_id', new.id));
  return null;
end
$$;
comment on function invite.tg_workspaces__rules_changed() is 'Queues two looks at what a rule of the workspace has put off.';

create or replace trigger _500_rules
  after update on invite.workspaces
  for each row
  when (
    (new.time_zone, new.open_hours, new.closed_days, new.rest_days, new.max_delay_hours)
    is distinct from (old.time_zone, old.open_hours, old.closed_days, old.rest_days, old.max_delay_hours))
  execute function invite.tg_workspaces__rules_changed();
comment on trigger _500_rules on invite.workspaces is 'Looks again at what a rule of the workspace has put off.';

create or replace function invite.tg_workspaces__audit() returns trigger
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform invite.record_audit(new.id, invite.current_actor(), c.action, new.name, c.detail)
  from (
    values
      (new.plan_id <> old.plan_id, 'plan_changed'::invite.audit_action, jsonb_build_object('from', old.plan_id, 'to', new.plan_id)),
      (new.name <> old.name, 'workspace_renamed', jsonb_build_object('from', old.name)),
      (old.suspended_at is null and new.suspended_at is not null, 'workspace_suspended', '{}'),
      (old.suspended_at is not null and new.suspended_at is null, 'workspace_resumed', '{}'),
      (old.paused_at is null and new.paused_at is not null, 'sending_paused', '{"scope": "workspace"}'),
      (old.paused_at is not null and new.paused_at is null, 'sending_resumed', '{"scope": "workspace"}'),
      (not old.records_events and new.records_events, 'events_enabled', '{}'),
      (old.records_events and not new.records_events, 'events_disabled', '{}'),
      (
        (new.time_zone, new.open_hours, new.closed_days, new.rest_days, new.max_delay_hours)
          is distinct from (old.time_zone, old.open_hours, old.closed_days, old.rest_days, old.max_delay_hours),
        'rules_changed',
        invite.changed_rules(to_jsonb(old), to_jsonb(new))
      )
  ) as c (changed, action, detail)
  where c.changed;
  return null;
end
$$;
comment on function invite.tg_workspaces__audit() is 'Records in the audit log who changed a workspace.';

create or replace trigger _600_audit
  after update on invite.workspaces
  for each row
  when (new is distinct from old)
  execute function invite.tg_workspaces__audit();
comment on trigger _600_audit on invite.workspaces is 'Records in the audit log who changed the workspace.';

create or replace function invite.tg_workspaces__sender() returns trigger
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform invite.require_sender(new.sender, 'workspaces');
  return new;
end
$$;
comment on function invite.tg_workspaces__sender() is 'Rejects a sender with a setting of a wrong form.';

create or replace trigger _400_sender
  before insert or update of sender on invite.workspaces
  for each row
  when (new.sender is not null)
  execute function invite.tg_workspaces__sender();
comment on trigger _400_sender on invite.workspaces is 'Checks the form of the sender.';

/*
 * A rest is looked up in the batches of the workspace, so it can't be longer than they are kept. set_retention asks for the same.
 * Locks: the retention of batches, for share.
 */
create or replace function invite.tg_workspaces__rules() returns trigger
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_kept integer;
begin
  if new.time_zone is not null and (tg_op = 'INSERT' or new.time_zone is distinct from old.time_zone)
    and not invite.is_time_zone(new.time_zone) then
    raise exception 'there is no time zone % (workspaces_time_zone_known)', new.time_zone
      using errcode = '23514', constraint = 'workspaces_time_zone_known', table = 'workspaces', schema = 'invite';
  end if;
  if new.closed_days is not null and (select count(*) from unnest(new.closed_days)) > 1000 then
    raise exception 'these are too many closed days (workspaces_closed_days_many)'
      using errcode = '23514', constraint = 'workspaces_closed_days_many', table = 'workspaces', schema = 'invite';
  end if;
  if new.rest_days is not null and (tg_op = 'INSERT' or new.rest_days is distinct from old.rest_days) then
    -- Also before shortened days hold.
    select r.days into v_kept from invite.retention as r where r.what = 'batches' for share;
    if new.rest_days > v_kept then
      raise exception 'batches are kept for % days only (workspaces_rest_days_kept)', v_kept
        using errcode = '23514', constraint = 'workspaces_rest_days_kept', detail = jsonb_build_object('days', v_kept),
          table = 'workspaces', schema = 'invite';
    end if;
  end if;
  return new;
end
$$;
comment on function invite.tg_workspaces__rules() is
  'Rejects a time zone that the server doesn''t know, too many closed days, and a rest that is longer than batches are kept.';

create or replace trigger _400_rules
  before insert or update of time_zone, closed_days, rest_days on invite.workspaces
  for each row
  when (num_nonnulls(new.time_zone, new.closed_days, new.rest_days) > 0)
  execute function invite.tg_workspaces__rules();
comment on trigger _400_rules on invite.workspaces is 'Checks what the rules may be.';

/*
 * In case somebody changes the row without a function: the change would be lost with the old copy.
 */
create or replace function invite.tg_workspaces__moved() returns trigger
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform invite.refuse_moved(new.id, new.moved_to);
  return new;
end
$$;
comment on function invite.tg_workspaces__moved() is 'Rejects a change of a workspace that is in another database or on its way there.';

create or replace trigger _050_moved
  before update on invite.workspaces
  for each row
  when (new.moved_to = old.moved_to)
  execute function invite.tg_workspaces__moved();
comment on trigger _050_moved on invite.workspaces is 'Keeps what has moved as it was.';
