/*
 * Message by message, what the claims will do if nothing else happens: nobody responds or unsubscribes, the relay takes each email as soon as it
 * may leave, and no survey is held. test/sql/forecast.test.ts lets the time go on, and compares. workspace, survey, looks_again: as pending_messages.
 *
 * Each turn looks at the next messages of each contact, so it takes as many turns as the contact with the most messages needs.
 */
create or replace function invite.forecast_messages(
  workspace invite.workspaces, survey invite.surveys, max_count integer, at timestamptz, looks_again boolean
) returns setof invite.pending_message
language plpgsql stable
as $$
declare
  v_pending invite.pending_message[] := array(
    select p from invite.pending_messages(
      forecast_messages.workspace, forecast_messages.survey, forecast_messages.max_count, forecast_messages.at, forecast_messages.looks_again) as p);
begin
  while cardinality(v_pending) > 0 loop
    v_pending := array(select p from invite.look_at_pending(v_pending, forecast_messages.workspace) as p);
    return query select p.* from unnest(v_pending) as p where p.is_asked and num_nonnulls(p.leaves_at, p.reason) > 0;
    v_pending := array(select p from unnest(v_pending) as p where num_nonnulls(p.leaves_at, p.reason) = 0);
  end loop;
end
$$;
comment on function invite.forecast_messages(invite.workspaces, invite.surveys, integer, timestamptz, boolean) is
  'When each pending message of a survey or workspace will leave (leaves_at), or why it won''t (reason).';
