/*
 * For a worker that stops, or whose list is full.
 */
create or replace function invite.requeue_sends(invitation_ids bigint[], after_seconds integer) returns void
language plpgsql volatile
as $$
declare
  v_at timestamptz := invite.clock() + requeue_sends.after_seconds * interval '1 second';
begin
  perform invite.queue_sends(array_agg(row(i.id, v_at)::invite.job_request)) from unnest(requeue_sends.invitation_ids) as i (id);
end
$$;
comment on function invite.requeue_sends(bigint[], integer) is
  'Makes jobs that look at these invitations again after so many seconds.';
