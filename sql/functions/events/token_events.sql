/*
 * Null: there is no such token, or the token may not read. Otherwise it returns the events of the token's survey after a cursor, and the
 * cursor to continue from, which moves only by events of the survey: nobody learns from it that others are busy. The cursor is null if after
 * comes from another database, or from before this one was restored. next_position and workspace_id, which is the real workspace for
 * a test: for the wait within a request, never for the client.
 */
create or replace function invite.token_events(
  secret_hash bytea, after text, max_rows integer, out events jsonb, out next text, out next_position bigint, out workspace_id text
)
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_survey text := invite.reading_survey(token_events.secret_hash);
  v_workspace invite.workspaces;
  v_epoch text;
  v_after bigint := 0;
begin
  if v_survey is null then
    return;
  end if;
  select w.* into v_workspace
  from invite.surveys as s
  join invite.workspaces as w on w.id = s.workspace_id
  where s.id = v_survey;
  v_epoch := coalesce(v_workspace.epoch, (select g.epoch from invite.settings as g));
  token_events.workspace_id := coalesce(v_workspace.test_of, v_workspace.id);
  token_events.next_position := (select p.published_to from invite.event_progress as p);
  if token_events.after is not null then
    v_after := invite.cursor_position(token_events.after, v_workspace, v_epoch);
    if v_after is null or v_after not between 0 and token_events.next_position then
      token_events.events := '[]';
      return;
    end if;
  end if;
  select
    coalesce(jsonb_agg(invite.event_envelope(e) order by e.position), '[]'),
    invite.event_cursor(coalesce(max(e.position), v_after), v_workspace, v_epoch),
    greatest(max(e.position), token_events.next_position)
  into token_events.events, token_events.next, token_events.next_position
  from invite.list_events(v_after, token_events.max_rows, null, v_survey) as e;
end
$$;
comment on function invite.token_events(bytea, text, integer) is 'The events of a token''s survey, for the client that has the token.';
