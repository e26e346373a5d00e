/*
 * A survey that becomes sendable requeues what waits for it: one job, whatever the number of waiting invitations, so that the update
 * that activates a survey returns at once. Any update does, the product's own included.
 * The job is queued without a look at what waits: a look from here could miss what a claim is about to write.
 */
create or replace function invite.tg_surveys__sendable() returns trigger
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform graphile_worker.add_job('requeue_waiting', json_build_object('survey_id', new.id), priority => -1);
  return null;
end
$$;
comment on function invite.tg_surveys__sendable() is 'Queues the requeueing of a survey that has become sendable.';

create or replace trigger _500_sendable
  after update of state, disabled_at on invite.surveys
  for each row
  when (new.state = 'active' and new.disabled_at is null and (old.state <> 'active' or old.disabled_at is not null))
  execute function invite.tg_surveys__sendable();
comment on trigger _500_sendable on invite.surveys is 'Requeues waiting invitations when the survey becomes sendable.';
