/*
 * Responses to a survey with a limit come one after the other, so that the last one that fits is known to be the last. Those to other surveys share
 * a lock, and wait only for a deletion. (The product's own transaction must be read committed to see them all.) It is taken at once in its
 * strength: two that held the weaker one could meet a deletion between them.
 *
 * Locks: the survey (for no key update if it has a response limit, otherwise for key share).
 */
create or replace function invite.lock_for_response(survey_id text) returns invite.surveys
language plpgsql volatile
as $$
declare
  v_survey invite.surveys;
begin
  if not exists (select from invite.surveys as s where s.id = lock_for_response.survey_id and s.response_limit is not null) then
    select s.* into v_survey from invite.surveys as s where s.id = lock_for_response.survey_id for key share;
  end if;
  -- Also if the limit has just been set.
  if v_survey.id is null or v_survey.response_limit is not null then
    select s.* into v_survey from invite.surveys as s where s.id = lock_for_response.survey_id for no key update;
  end if;
  return v_survey;
end
$$;
comment on function invite.lock_for_response(text) is 'Locks a survey until a response to it is committed, and returns it as it then is. A row of nulls if there is none.';
