/*
 * Those that index_recipients hasn't written yet stay away: it will see what is there then. The rows are locked by a statement of its own, so that
 * the next sees what index_recipients has added meanwhile. Locks: persons by workspace and address. Pins: lookup plan.
 */
create or replace function invite.renew_persons(workspace_ids text[], emails text[]) returns void
language plpgsql volatile
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
begin
  perform
  from (
    select distinct u.workspace_id collate "C" as workspace_id, u.email collate "C" as email
    from unnest(renew_persons.workspace_ids, renew_persons.emails) as u (workspace_id, email)
    order by 1, 2
  ) as c
  cross join lateral (
    select from invite.persons as x where x.workspace_id = c.workspace_id and x.email = c.email for update offset 0
  ) as p;

  delete from invite.persons as p
  using unnest(renew_persons.workspace_ids, renew_persons.emails) as u (workspace_id, email)
  where p.workspace_id = u.workspace_id and p.email = u.email
    and not exists (select from invite.addresses as a where a.workspace_id = u.workspace_id and a.email = u.email);

  update invite.persons as p set name = n.name
  from (select distinct u.workspace_id, u.email from unnest(renew_persons.workspace_ids, renew_persons.emails) as u (workspace_id, email)) as c
  cross join lateral (
    select (
      select invite.person_name(i.name)
      from invite.addresses as a
      join invite.invitations as i on i.id = a.invitation_id
      where a.workspace_id = c.workspace_id and a.email = c.email and i.name is not null
      order by a.invitation_id desc
      limit 1
    ) as name
    offset 0
  ) as n
  where p.workspace_id = c.workspace_id and p.email = c.email and p.name is distinct from n.name;
end
$$;
comment on function invite.renew_persons(text[], text[]) is
  'After invitations to these addresses were erased or deleted: deletes the persons who have no other invitation, and names the others as the newest one does.';
