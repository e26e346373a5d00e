/*
 * A first look without locks; then, for what it finds, a second under share locks, so that anyone who makes one of them sendable waits for
 * this transaction, or is seen. (for key share would not do: it does not conflict with a change of state.) It waits for no lock: a
 * locked survey must not hold up all email, nor deadlock with the product. The settings of claim_invitations pin the plans.
 *
 * The pause for everyone isn't locked: all claims together could keep the one who ends it waiting. What is held too long then is found by the
 * second look of tg_settings__resumed.
 *
 * Locks: the surveys, their workspaces, their plans, each by id (for share, skip locked).
 */
create or replace function invite.lock_held_surveys(invitation_ids bigint[], out held text[], out busy text[])
language plpgsql volatile
as $$
declare
  v_found text[];
  v_surveys text[];
  v_workspaces text[];
  v_plans text[];
begin
  v_found := array(
    select s.id
    from invite.surveys as s
    join invite.workspaces as w on w.id = s.workspace_id
    join invite.plans as p on p.id = w.plan_id
    cross join invite.settings as g
    where s.id in (select m.survey_id from invite.messages as m where m.invitation_id = any (lock_held_surveys.invitation_ids))
      and invite.hold_reason(s, w, p, g) is not null
  );
  held := '{}';
  busy := '{}';
  if v_found = '{}' then
    return;
  end if;

  v_surveys := array(select s.id from invite.surveys as s where s.id = any (v_found) order by s.id for share skip locked);
  v_workspaces := array(
    select w.id
    from invite.workspaces as w
    where w.id in (select s.workspace_id from invite.surveys as s where s.id = any (v_surveys))
    order by w.id
    for share skip locked);
  v_plans := array(
    select p.id
    from invite.plans as p
    where p.id in (select w.plan_id from invite.workspaces as w where w.id = any (v_workspaces))
    order by p.id
    for share skip locked);

  v_surveys := array(
    select s.id
    from invite.surveys as s
    join invite.workspaces as w on w.id = s.workspace_id
    where s.id = any (v_surveys) and w.id = any (v_workspaces) and w.plan_id = any (v_plans) and w.moved_to is null
  );
  held := array(select s.id from unnest(v_surveys) as s (id) where not invite.is_sendable(s.id));
  busy := array(select f.id from unnest(v_found) as f (id) where f.id <> all (v_surveys));
end
$$;
comment on function invite.lock_held_surveys(bigint[]) is
  'The surveys of these invitations that are held, locked so until the transaction ends; and (busy) those that somebody else has locked, or whose workspace moves.';
