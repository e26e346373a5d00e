/*
 * Call it after loading rows without triggers (session_replication_role = replica), and after loading invitations that were sent elsewhere.
 * It is also called when a question is new. It adds changes in one statement, and so from one snapshot: the counts stay right while
 * responses come in. Locks: one run at a time (advisory).
 */
create or replace function invite.recount_results(survey_id text, question text default null) returns integer
language plpgsql volatile
as $$
declare
  v_corrected integer;
begin
  perform pg_advisory_xact_lock(hashtextextended('invite.recount_results', 0));
  insert into invite.result_changes (survey_id, starts_at, question, value, number)
  select m.survey_id, m.starts_at, m.question, m.value, m.given - m.counted
  from invite.miscounted_results as m
  where m.survey_id = recount_results.survey_id
    and (recount_results.question is null or m.question = recount_results.question);
  get diagnostics v_corrected = row_count;
  return v_corrected;
end
$$;
comment on function invite.recount_results(text, text) is
  'Corrects the counts of a survey''s Results, or of the answers to one question. Returns how many were wrong: 0, unless triggers were off.';
