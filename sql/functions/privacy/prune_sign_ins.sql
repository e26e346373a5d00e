/*
 * Deletes sessions that have ended, and sign-in links and test invitations that were asked for a day ago. Small tables: no steps. Called by: the task.
 */
create or replace function invite.prune_sign_ins(at timestamptz default null) returns void
language plpgsql volatile
as $$
declare
  v_now timestamptz := coalesce(prune_sign_ins.at, clock_timestamp());
begin
  delete from invite.sign_in_links as l where l.requested_at <= v_now - interval '1 day';
  delete from invite.test_invitations as x where x.requested_at <= v_now - interval '1 day';
  delete from invite.sessions as s
  where s.created_at <= v_now - interval '14 days' or s.seen_at <= v_now - interval '2 days';
end
$$;
comment on function invite.prune_sign_ins(timestamptz) is 'Deletes ended sessions, and old sign-in links and test invitations.';
