/*
 * Null: there is no such token, or the token may not read. Otherwise it returns the events of the token's survey after a position, and the
 * position to continue from. When there are no more events of the survey, that position is after other surveys' events.
 */
create or replace function invite.token_events(secret_hash bytea, after bigint, max_rows integer, out events jsonb, out next bigint)
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_survey text := invite.reading_survey(token_events.secret_hash);
begin
  if v_survey is null then
    return;
  end if;
  token_events.next := greatest(token_events.after, (select p.published_to from invite.event_progress as p));
  select
    coalesce(jsonb_agg(invite.event_envelope(e) order by e.position), '[]'),
    case when count(*) = token_events.max_rows then max(e.position) else greatest(max(e.position), token_events.next) end
  into token_events.events, token_events.next
  from invite.list_events(token_events.after, token_events.max_rows, null, v_survey) as e;
end
$$;
comment on function invite.token_events(bytea, bigint, integer) is 'The events of a token''s survey, for the client that has the token.';
