/*
 * For what a claim has locked and would send now (ready): what a cap doesn't let leave becomes capped, with the time that it is promised, or
 * capped_too_long if that is after its deadline.
 *
 * Locks: the caps of their workspaces, then the shared ones of their recipients' domains, each by key (for no key update), until the transaction ends.
 * They wait for each other, but not for somebody who keeps a cap locked: then their messages are looked at again after half a minute.
 */
create or replace function invite.take_places(messages invite.due_message[], at timestamptz) returns invite.due_message[]
language plpgsql volatile
set lock_timeout = '300ms'
as $$
declare
  v_workspaces invite.workspaces[];
  v_workspace invite.workspaces;
  v_domains text[];
  v_planned invite.place[] := '{}';
  v_plan record;
begin
  v_workspaces := array(
    select w
    from invite.workspaces as w
    where invite.has_caps(w) and w.id in (
      select i.workspace_id from unnest(take_places.messages) as d join invite.invitations as i on i.id = d.id where d.reason = 'ready')
    order by w.id);
  if v_workspaces = '{}' then
    return messages;
  end if;

  begin
    perform from invite.caps as c
    where c.workspace_id in (select w.id from unnest(v_workspaces) as w)
    order by c.workspace_id, c.scope, c.domain
    for no key update;
    if exists (select from invite.shared_caps) then
      v_domains := array(
        select invite.domain_of(d.email) from unnest(take_places.messages) as d
        where d.reason = 'ready' and not invite.is_test(d.id));
      perform from invite.shared_caps as c where c.domain = any (v_domains) order by c.domain for no key update;
    end if;
  exception
    when lock_not_available then
      return array(
        select case when d.reason = 'ready' and i.workspace_id in (select w.id from unnest(v_workspaces) as w) then
          (jsonb_populate_record(d, jsonb_build_object('reason', 'capped', 'until', take_places.at + interval '30 seconds')))
          else d end
        from unnest(take_places.messages) as d
        join invite.invitations as i on i.id = d.id
        order by d.id);
  end;

  foreach v_workspace in array v_workspaces loop
    perform invite.fold_releases(v_workspace);
    select p.planned, p.changes into v_plan
    from invite.plan_places(
      v_workspace,
      array(
        select p.place
        from invite.places_of(array(select d from unnest(take_places.messages) as d where d.reason = 'ready'), take_places.at) as p
        where p.workspace_id = v_workspace.id)) as p;
    perform invite.count_places(v_plan.changes);
    v_planned := v_planned || v_plan.planned;
  end loop;

  return array(
    select row(
      d.id, d.number,
      coalesce(case when p.until > take_places.at then invite.reason_of_wait(row(p.until, 'capped')::invite.wait, d.deadline, take_places.at) end, d.reason),
      coalesce(case when p.until > take_places.at then p.until end, d.until),
      d.is_unconfirmed, d.batch_id, d.secret, d.email, d.name, d.language, d.deadline,
      case when p.invitation_id is not null then
        coalesce(date_trunc('hour', p.promised_at, 'UTC') = date_trunc('hour', take_places.at, 'UTC'), false)
      end)::invite.due_message
    from unnest(take_places.messages) as d
    left join unnest(v_planned) as p on p.invitation_id = d.id and p.number = d.number
    order by d.id);
end
$$;
comment on function invite.take_places(invite.due_message[], timestamptz) is
  'Takes places under caps for the messages that a claim would send, and says until when the others wait.';
