/*
 * What was refused in the last week of a survey's tokens (or of one), by token and code, the latest first; deleted tokens that are still
 * used as well. For editors and up. Called by: the HTTP process. Raises: P0002, 42501 (require_role).
 */
create or replace function invite.survey_refusals(
  session_hash bytea, survey_id text, token_id uuid default null, max_rows integer default 50, at timestamptz default null
) returns setof invite.refusal_card
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_now timestamptz := coalesce(survey_refusals.at, clock_timestamp());
begin
  perform invite.require_survey_role(survey_refusals.session_hash, survey_refusals.survey_id, 'editor');
  return query
    select
      t.id, t.name, t.secret_hint, t.deleted_at is not null, r.code,
      coalesce(sum(r.refused) filter (where r.hour > v_now - interval '24 hours'), 0)::integer,
      sum(r.refused)::integer,
      max(r.last_at),
      (array_agg(r.last_detail order by r.last_at desc))[1]
    from invite.trigger_tokens as t
    join invite.refusals as r on r.trigger_token_id = t.id and r.hour > v_now - interval '7 days'
    where t.survey_id = survey_refusals.survey_id
      and (survey_refusals.token_id is null or t.id = survey_refusals.token_id)
    group by t.id, r.code
    order by max(r.last_at) desc, t.id, r.code
    limit survey_refusals.max_rows;
end
$$;
comment on function invite.survey_refusals(bytea, text, uuid, integer, timestamptz) is
  'Refused requests of the last week by token and code, for editors and up.';
