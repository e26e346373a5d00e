/*
 * A worker claims by workspaces in turn. Pins: lookup plan, opaque column (as in claim_invitations).
 */
create or replace function invite.workspaces_of(invitation_ids bigint[])
returns table (workspace_id text, ids bigint[])
language plpgsql stable
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
begin
  return query
  select i.workspace_id, array_agg(i.id order by i.id)
  from invite.messages as m
  join invite.invitations as i on i.id = m.invitation_id
  where m.invitation_id = any (workspaces_of.invitation_ids) and m.status::text = 'queued'
  group by i.workspace_id;
end
$$;
comment on function invite.workspaces_of(bigint[]) is 'Which of these invitations are queued, by their workspaces.';
