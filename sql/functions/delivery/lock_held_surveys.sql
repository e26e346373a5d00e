/*
 * Which surveys of these invitations are held now, and stay so until the transaction ends.
 *
 * A first look, and for what it finds a second one under share locks: anyone who makes one of them sendable waits for this transaction, or is
 * seen. (for key share would not do: it does not conflict with a change of state.) The settings of claim_invitations pin the plans.
 *
 * Locks, in order: the surveys that are found, their workspaces, their plans, each by id (for share).
 */
create or replace function invite.lock_held_surveys(invitation_ids bigint[]) returns text[]
language plpgsql volatile
as $$
declare
  v_found text[];
begin
  v_found := array(
    select s.id
    from invite.surveys as s
    join invite.workspaces as w on w.id = s.workspace_id
    join invite.plans as p on p.id = w.plan_id
    where s.id in (select i.survey_id from invite.invitations as i where i.id = any (lock_held_surveys.invitation_ids))
      and invite.hold_reason(s, w, p) is not null
  );
  if v_found = '{}' then
    return v_found;
  end if;

  perform from invite.surveys as s where s.id = any (v_found) order by s.id for share;
  perform from invite.workspaces as w
  where w.id in (select s.workspace_id from invite.surveys as s where s.id = any (v_found))
  order by w.id
  for share;
  perform from invite.plans as p
  where p.id in (
    select w.plan_id
    from invite.surveys as s
    join invite.workspaces as w on w.id = s.workspace_id
    where s.id = any (v_found)
  )
  order by p.id
  for share;
  return array(select f.id from unnest(v_found) as f (id) where not invite.is_sendable(f.id));
end
$$;
comment on function invite.lock_held_surveys(bigint[]) is
  'The surveys of these invitations whose email is held, locked so that they stay held until the transaction ends.';
