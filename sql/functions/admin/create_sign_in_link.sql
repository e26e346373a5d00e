/*
 * For an operator, who gives the link to the member. Raises: P0002 if no member has the address.
 */
create or replace function invite.create_sign_in_link(email text, secret_hash bytea, at timestamptz default null) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_now timestamptz := invite.clock(create_sign_in_link.at);
  v_id uuid;
begin
  insert into invite.sign_in_links (email, requested_at) values (lower(create_sign_in_link.email collate "C"), v_now) returning id into v_id;
  if invite.issue_sign_in_link(v_id, create_sign_in_link.secret_hash, v_now) is null then
    raise exception 'no workspace has a member %', create_sign_in_link.email using errcode = 'P0002';
  end if;
  perform invite.record_audit(m.workspace_id, invite.current_actor(), 'sign_in_link_created', m.email)
  from invite.members as m
  where m.email = lower(create_sign_in_link.email collate "C");
end
$$;
comment on function invite.create_sign_in_link(text, bytea, timestamptz) is 'Creates a sign-in link for a member.';
