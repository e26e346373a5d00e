/*
 * Each turn looks at the next messages of each contact, so it takes as many turns as the contact with the most messages needs.
 */
create or replace function invite.forecast_pending(pending invite.pending_message[], workspace invite.workspaces)
returns setof invite.pending_message
language plpgsql stable
as $$
declare
  v_pending invite.pending_message[] := forecast_pending.pending;
begin
  while cardinality(v_pending) > 0 loop
    v_pending := array(select p from invite.look_at_pending(v_pending, forecast_pending.workspace) as p);
    return query select p.* from unnest(v_pending) as p where p.is_asked and num_nonnulls(p.leaves_at, p.reason) > 0;
    v_pending := array(select p from unnest(v_pending) as p where num_nonnulls(p.leaves_at, p.reason) = 0);
  end loop;
end
$$;
comment on function invite.forecast_pending(invite.pending_message[], invite.workspaces) is
  'When each of these messages that is asked about will leave (leaves_at), or why it won''t (reason).';
