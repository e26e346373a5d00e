/*
 * The address is forgotten with its last invitation in the workspace. The choices are locked by a statement of its own: of two transactions
 * that each delete one of the last two invitations, the second one waits here, and then finds none.
 *
 * Locks: the choices, by address. Those who delete invitations do so in one statement, after all their other locks.
 */
create or replace function invite.tg_addresses__deleted() returns trigger
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform
  from invite.recipient_choices as c
  where (c.workspace_id, c.email) in (select d.workspace_id, d.email from deleted as d)
  order by c.workspace_id, c.email, c.survey_id
  for update;
  if found then
    delete from invite.recipient_choices as c
    where (c.workspace_id, c.email) in (select d.workspace_id, d.email from deleted as d)
      and not exists (select from invite.addresses as a where a.workspace_id = c.workspace_id and a.email = c.email);
  end if;
  return null;
end
$$;
comment on function invite.tg_addresses__deleted() is 'Deletes the choices of recipients whose address is no longer known.';

create or replace trigger _500_deleted
  after delete on invite.addresses
  referencing old table as deleted
  for each statement
  execute function invite.tg_addresses__deleted();
comment on trigger _500_deleted on invite.addresses is 'Deletes the choices of recipients whose address is no longer known.';
