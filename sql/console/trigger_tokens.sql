/*
 * Ordered by the time of creation.
 */
create function console.trigger_tokens(
  session_hash bytea, survey_id text, token_id uuid default null, after_id uuid default null, max_rows integer default 50
) returns setof invite.trigger_token_overview
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform console.require_survey_role(trigger_tokens.session_hash, trigger_tokens.survey_id, 'editor');
  return query
    select t.*
    from invite.trigger_token_overview as t
    where t.survey_id = trigger_tokens.survey_id
      and (trigger_tokens.token_id is null or t.id = trigger_tokens.token_id)
      and (
        trigger_tokens.after_id is null
        or (t.created_at, t.id) > (
          select a.created_at, a.id from invite.trigger_tokens as a
          where a.id = trigger_tokens.after_id and a.survey_id = trigger_tokens.survey_id))
    order by t.created_at, t.id
    limit trigger_tokens.max_rows;
end
$$;
comment on function console.trigger_tokens(bytea, text, uuid, uuid, integer) is
  'A page of the trigger tokens of a survey, or one of them, for editors, admins and owners.';
