/*
 * A job sends the new member an email. A person who is already a member with another role keeps that role.
 *
 * Each addition causes an email to an address that anybody may have entered. So a workspace can add 20 members an hour and 50 a day, and an
 * address gets at most three of these emails a day from all workspaces: further ones are left out without a word, since nobody may learn what
 * other workspaces do. What the command line and the product add isn't counted.
 *
 * Locks: the owners' rows in order, then the member's; an advisory lock on the address, so that the count of its emails is exact too.
 * Raises: as require_member_change; 23514 members_added_before, members_hourly, members_daily, members_email_folded.
 */
create function console.add_member(session_hash bytea, workspace_id text, email text, new_role invite.member_role) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_member invite.members :=
    console.require_member_change(add_member.session_hash, add_member.workspace_id, add_member.email, add_member.new_role);
  v_email constant text := lower(add_member.email collate "C");
  v_role invite.member_role;
  v_now timestamptz;
  v_added record;
begin
  select m.role into v_role
  from invite.members as m
  where m.workspace_id = add_member.workspace_id and m.email = v_email
  for update;
  if v_role <> add_member.new_role then
    raise exception 'the person is a member already, as % (members_added_before)', v_role
      using errcode = '23514', constraint = 'members_added_before';
  end if;
  if v_role is null then
    perform pg_advisory_xact_lock(hashtextextended('invite.new_member ' || v_email, 0));
    v_now := invite.clock();
    select count(*) filter (where a.at > v_now - interval '1 hour') as in_hour, count(*) as in_day into v_added
    from invite.audit_log as a
    where a.workspace_id = add_member.workspace_id and a.action = 'member_added' and a.at > v_now - interval '1 day' and a.actor <> 'cli';
    if v_added.in_hour >= 20 then
      raise exception 'at most twenty new members an hour (members_hourly)' using errcode = '23514', constraint = 'members_hourly';
    elsif v_added.in_day >= 50 then
      raise exception 'at most fifty new members a day (members_daily)' using errcode = '23514', constraint = 'members_daily';
    end if;
    if (
      select count(*)
      from invite.audit_log as a
      where a.subject = v_email and a.action = 'member_added' and a.at > v_now - interval '1 day' and a.actor <> 'cli'
    ) < 3 then
      perform graphile_worker.add_job(
        'send_member_invitation',
        json_build_object('workspace_id', add_member.workspace_id, 'email', v_email, 'invited_by', v_member.email),
        priority => -1);
    end if;
  end if;
  perform invite.upsert_member(add_member.workspace_id, add_member.email, add_member.new_role, v_member.email);
end
$$;
comment on function console.add_member(bytea, text, text, invite.member_role) is 'Adds a member on behalf of an owner or admin, and tells the new member by email.';
