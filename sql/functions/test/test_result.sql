/*
 * Not before its events are published, so that a test reads them right after the answer.
 */
create or replace function invite.test_result(workspace_id text, advance_id uuid) returns jsonb
language sql stable security definer
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object('now', w.test_now, 'since', a.since, 'counts', a.counts, 'happened', a.happened)
  from invite.test_advances as a
  join invite.workspaces as w on w.id = a.workspace_id
  where a.id = test_result.advance_id and a.ended_at is not null and a.workspace_id = test_result.workspace_id
    and not exists (
      select from invite.new_events as n join invite.surveys as s on s.id = n.survey_id where s.workspace_id = test_result.workspace_id)
$$;
comment on function invite.test_result(text, uuid) is
  'What the clock of a test workspace now says, and what has happened: {now, since, counts, happened}. Null: the advance hasn''t ended.';
