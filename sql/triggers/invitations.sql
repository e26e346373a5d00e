/*
 * By what the row had: search_terms needs no index by invitation.
 */
create or replace function invite.tg_invitations__deleted() returns trigger
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  delete from invite.search_terms as x
  using deleted as i
  join invite.batches as b on b.id = i.batch_id
  cross join lateral unnest(
    invite.terms_of(b.workspace_id, i.name, coalesce(b.metadata, '{}') || coalesce(i.metadata, '{}'))) as t (term)
  where x.term = t.term and x.invitation_id = i.id;
  return null;
end
$$;
comment on function invite.tg_invitations__deleted() is 'Deletes the search terms of deleted invitations.';

create or replace trigger _500_deleted
  after delete on invite.invitations
  referencing old table as deleted
  for each statement
  execute function invite.tg_invitations__deleted();
comment on trigger _500_deleted on invite.invitations is 'Deletes the search terms of deleted invitations.';
