/*
 * The live trigger tokens of a survey in the order in which they were created, for editors and up: a page of them, after an id; or one.
 * Called by: the HTTP process. Raises: P0002, 42501 (require_role).
 */
create or replace function invite.survey_tokens(
  session_hash bytea, survey_id text, token_id uuid default null, after_id uuid default null, max_rows integer default 50,
  at timestamptz default null
) returns setof invite.token_card
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_now timestamptz := coalesce(survey_tokens.at, clock_timestamp());
begin
  perform invite.require_survey_role(survey_tokens.session_hash, survey_tokens.survey_id, 'editor');
  return query
    select
      t.id, t.name, t.secret_hint, t.cooldown_seconds, t.default_subject, t.default_message, t.default_reminder_days,
      t.default_reminder_subject, t.default_reminder_message, t.last_accepted_at, t.created_by, t.created_at,
      coalesce((
        select sum(r.refused) from invite.refusals as r
        where r.trigger_token_id = t.id and r.hour > v_now - interval '24 hours'), 0)::integer,
      s.public_url
    from invite.trigger_tokens as t
    join invite.surveys as s on s.id = t.survey_id
    where t.survey_id = survey_tokens.survey_id
      and t.deleted_at is null
      and (survey_tokens.token_id is null or t.id = survey_tokens.token_id)
      and (
        survey_tokens.after_id is null
        or (t.created_at, t.id) > (
          select a.created_at, a.id from invite.trigger_tokens as a
          where a.id = survey_tokens.after_id and a.survey_id = survey_tokens.survey_id))
    order by t.created_at, t.id
    limit survey_tokens.max_rows;
end
$$;
comment on function invite.survey_tokens(bytea, text, uuid, uuid, integer, timestamptz) is
  'A page of the live trigger tokens of a survey, or one of them, for editors and up.';
