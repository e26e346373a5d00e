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
  after update of suspended_at, paused_at, plan_id on invite.workspaces
  for each row
  when (
    num_nonnulls(new.suspended_at, new.paused_at) = 0
    and (num_nonnulls(old.suspended_at, old.paused_at) > 0 or old.plan_id <> new.plan_id)
  )
  execute function invite.tg_workspaces__sendable();
comment on trigger _500_sendable on invite.workspaces is 'Requeues waiting invitations when the workspace may have become sendable.';
