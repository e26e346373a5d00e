/*
 * Whether mail of a survey may leave now.
 * Called by: requeue_waiting, lock_held_surveys. Takes no lock.
 */
create or replace function invite.is_sendable(survey_id text) returns boolean
language sql stable
as $$
  select invite.allows_mail(s, w, p)
  from invite.surveys as s
  join invite.workspaces as w on w.id = s.workspace_id
  join invite.plans as p on p.id = w.plan_id
  where s.id = is_sendable.survey_id;
$$;
comment on function invite.is_sendable(text) is 'Whether mail of this survey may leave now. Null: there is no such survey.';
