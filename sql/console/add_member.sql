/*
 * A job sends the new member an email. A person who is already a member with another role keeps that role. At most 20 members can be added
 * in an hour, because each causes an email to an address that anybody may have entered.
 * Locks: the owners' rows in order, then the member's.
 * Raises: as require_member_change; 23514 members_added_before, members_hourly, members_email_folded.
 */
create function console.add_member(session_hash bytea, workspace_id text, email text, new_role invite.member_role) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_member invite.members :=
    console.require_member_change(add_member.session_hash, add_member.workspace_id, add_member.email, add_member.new_role);
  v_role invite.member_role;
begin
  select m.role into v_role
  from invite.members as m
  where m.workspace_id = add_member.workspace_id and m.email = lower(add_member.email collate "C")
  for update;
  if v_role <> add_member.new_role then
    raise exception 'the person is a member already, as %', v_role using errcode = '23514', constraint = 'members_added_before';
  end if;
  if v_role is null then
    if (
      select count(*)
      from (
        select a.action, a.actor, a.at from invite.audit_log as a
        where a.workspace_id = add_member.workspace_id
        order by a.id desc
        limit 1000
      ) as n
      where n.action = 'member_added' and n.actor <> 'cli' and n.at > invite.clock() - interval '1 hour'
    ) >= 20 then
      raise exception 'at most twenty new members an hour' using errcode = '23514', constraint = 'members_hourly';
    end if;
    perform graphile_worker.add_job(
      'send_member_invitation',
      json_build_object(
        'workspace_id', add_member.workspace_id, 'email', lower(add_member.email collate "C"), 'invited_by', v_member.email),
      priority => -1);
  end if;
  perform invite.upsert_member(add_member.workspace_id, add_member.email, add_member.new_role, v_member.email);
end
$$;
comment on function console.add_member(bytea, text, text, invite.member_role) is 'Adds a member on behalf of an owner or admin, and tells the new member by email.';
