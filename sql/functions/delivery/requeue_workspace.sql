/*
 * A job of its own, because the trigger on workspaces cannot tell which surveys will be sendable once concurrent transactions have
 * committed; this runs after.
 */
create or replace function invite.requeue_workspace(workspace_id text) returns integer
language plpgsql volatile
as $$
declare
  v_specs graphile_worker.job_spec[];
begin
  select array_agg(row(
    'requeue_waiting', json_build_object('survey_id', s.id), null, null, null, null, -1, null
  )::graphile_worker.job_spec)
  into v_specs
  from invite.surveys as s
  where s.workspace_id = requeue_workspace.workspace_id
    and exists (select from invite.messages as m where m.survey_id = s.id and m.status = 'waiting' or m.survey_id = s.id and m.status = 'queued' and m.rule is not null);

  if v_specs is not null then
    perform graphile_worker.add_jobs(v_specs);
  end if;
  return coalesce(cardinality(v_specs), 0);
end
$$;
comment on function invite.requeue_workspace(text) is
  'Queues the requeueing of all surveys of a workspace that have waiting invitations, or some that a rule has put off. Returns how many there are.';
