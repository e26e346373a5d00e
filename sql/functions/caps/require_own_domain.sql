create or replace function invite.require_own_domain(domain text, workspace_id text) returns void
language plpgsql stable
as $$
begin
  if exists (select from unnest(invite.workspaces_of_sender(require_own_domain.domain)) as w (id) where w.id <> require_own_domain.workspace_id) then
    raise exception 'other workspaces send from % too (caps_sender_own)', require_own_domain.domain
      using errcode = '23514', constraint = 'caps_sender_own', table = 'caps', schema = 'invite';
  end if;
end
$$;
comment on function invite.require_own_domain(text, text) is 'Raises 23514 caps_sender_own if another workspace sends from a domain.';
