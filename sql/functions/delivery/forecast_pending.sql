/*
 * Each turn looks at the next messages of each contact, so it takes as many turns as the contact with the most messages needs. Caps are asked last,
 * in the order in which the messages would leave. So where people rest, a second message to one of them may leave later than this says.
 */
create or replace function invite.forecast_pending(pending invite.pending_message[], workspace invite.workspaces)
returns setof invite.pending_message
language plpgsql stable
as $$
declare
  v_has_caps constant boolean := invite.has_caps(workspace);
  v_pending invite.pending_message[] := forecast_pending.pending;
  v_done invite.pending_message[] := '{}';
begin
  while cardinality(v_pending) > 0 loop
    v_pending := array(select p from invite.look_at_pending(v_pending, forecast_pending.workspace) as p);
    if v_has_caps then
      v_done := v_done || array(select p from unnest(v_pending) as p where num_nonnulls(p.leaves_at, p.reason) > 0);
    else
      return query select p.* from unnest(v_pending) as p where p.is_asked and num_nonnulls(p.leaves_at, p.reason) > 0;
    end if;
    v_pending := array(select p from unnest(v_pending) as p where num_nonnulls(p.leaves_at, p.reason) = 0);
  end loop;
  if v_has_caps then
    return query select p.* from invite.forecast_places(v_done, forecast_pending.workspace) as p where p.is_asked;
  end if;
end
$$;
comment on function invite.forecast_pending(invite.pending_message[], invite.workspaces) is
  'When each of these messages that is asked about will leave (leaves_at), or why it won''t (reason).';
