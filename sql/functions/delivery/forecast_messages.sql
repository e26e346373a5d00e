/*
 * Message by message, what the claims will do if nothing else happens: nobody responds or unsubscribes, the relay takes each email as soon as it
 * may leave, and no survey is held. test/sql/forecast.test.ts lets the time go on, and compares. workspace, survey, looks_again: as pending_messages.
 */
create or replace function invite.forecast_messages(
  workspace invite.workspaces, survey invite.surveys, max_count integer, at timestamptz, looks_again boolean
) returns setof invite.pending_message
language sql stable
as $$
  select m.*
  from invite.forecast_pending(
    array(
      select p from invite.pending_messages(
        forecast_messages.workspace, forecast_messages.survey, forecast_messages.max_count, forecast_messages.at,
        forecast_messages.looks_again) as p),
    forecast_messages.workspace) as m
$$;
comment on function invite.forecast_messages(invite.workspaces, invite.surveys, integer, timestamptz, boolean) is
  'When each pending message of a survey or workspace will leave (leaves_at), or why it won''t (reason).';
