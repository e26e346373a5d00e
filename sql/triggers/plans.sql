create or replace function invite.tg_plans__sendable() returns trigger
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_specs graphile_worker.job_spec[];
begin
  select array_agg(row(
    'requeue_workspace', json_build_object('workspace_id', w.id), null, null, null, null, -1, null
  )::graphile_worker.job_spec)
  into v_specs
  from invite.workspaces as w
  where w.plan_id = new.id;

  if v_specs is not null then
    perform graphile_worker.add_jobs(v_specs);
  end if;
  return null;
end
$$;
comment on function invite.tg_plans__sendable() is 'Queues the requeueing of the workspaces of a plan that now includes the API trigger.';

create or replace trigger _500_sendable
  after update on invite.plans
  for each row
  when (invite.hold_of_plan(new) is null and invite.hold_of_plan(old) is not null)
  execute function invite.tg_plans__sendable();
comment on trigger _500_sendable on invite.plans is 'Requeues waiting invitations when the plan begins to include the API trigger.';

create or replace function invite.tg_plans__audit() returns trigger
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform invite.record_audit(null, invite.current_actor(), 'plan_changed', new.id, jsonb_build_object('api_trigger', new.api_trigger));
  return null;
end
$$;
comment on function invite.tg_plans__audit() is 'Records in the audit log who changed what a plan allows.';

create or replace trigger _600_audit
  after update of api_trigger on invite.plans
  for each row
  when (new.api_trigger <> old.api_trigger)
  execute function invite.tg_plans__audit();
comment on trigger _600_audit on invite.plans is 'Records in the audit log who changed what the plan allows.';
