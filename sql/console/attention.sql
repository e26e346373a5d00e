create function console.attention(session_hash bytea, workspace_id text, at timestamptz default null) returns setof invite.attention
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_member constant invite.members := console.require_role(attention.session_hash, attention.workspace_id, 'viewer');
begin
  return query
  select a.* from invite.attention_of(v_member.workspace_id, v_member.role, invite.now_of(v_member.workspace_id, invite.owner_time(attention.at))) as a;
end
$$;
comment on function console.attention(bytea, text, timestamptz) is 'What needs attention in a workspace within seven days, for the role of the member.';
