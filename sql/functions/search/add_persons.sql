/*
 * In the order of their key, so that two calls never wait for each other in turns.
 */
create or replace function invite.add_persons(invitation_ids bigint[]) returns void
language sql volatile
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
  insert into invite.persons as p (workspace_id, email, name)
  select distinct on (i.workspace_id, lower(i.email collate "C")) i.workspace_id, lower(i.email collate "C"), invite.person_name(i.name)
  from invite.invitations as i
  where i.id = any (add_persons.invitation_ids) and i.email is not null
  order by i.workspace_id, lower(i.email collate "C"), i.name is null, i.id desc
  on conflict on constraint persons_pkey do update set name = excluded.name
  where excluded.name is not null and excluded.name is distinct from p.name
$$;
comment on function invite.add_persons(bigint[]) is
  'Adds the recipients of these invitations to persons, or renames them. The last one''s name counts, if it has one. Pins: lookup plan.';
