/*
 * erase_invitations calls it, which holds the locks of the invitations: nobody responds through them meanwhile. The metadata of a batch with
 * other recipients is theirs too, and stays. Locks: the responses, then the batches by id. Pins: lookup plan.
 */
create or replace function invite.erase_responses(invitation_ids bigint[], at timestamptz) returns integer
language plpgsql volatile
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
declare
  v_responses integer;
begin
  delete from invite.search_terms as x
  using invite.invitations as i
  join invite.batches as b on b.id = i.batch_id
  cross join lateral unnest(invite.terms_of(i.workspace_id, coalesce(b.metadata, '{}') || coalesce(i.metadata, '{}'))) as t (term)
  where i.id = any (erase_responses.invitation_ids) and x.term = t.term and x.invitation_id = i.id;

  update invite.responses as r set answers = '{}', metadata = null, clicked_in_email = null, erased_at = erase_responses.at
  where r.invitation_id = any (erase_responses.invitation_ids) and r.erased_at is null;
  get diagnostics v_responses = row_count;

  update invite.invitations as i set metadata = null where i.id = any (erase_responses.invitation_ids) and i.metadata is not null;
  perform
  from invite.batches as b
  where b.id = any (array(select i.batch_id from invite.invitations as i where i.id = any (erase_responses.invitation_ids)))
    and b.recipients = 1 and b.metadata is not null
  order by b.id
  for no key update;
  update invite.batches as b set metadata = null
  where b.id = any (array(select i.batch_id from invite.invitations as i where i.id = any (erase_responses.invitation_ids)))
    and b.recipients = 1 and b.metadata is not null;
  return v_responses;
end
$$;
comment on function invite.erase_responses(bigint[], timestamptz) is
  'Erases what was answered through the given invitations, and their metadata. Returns how many responses have no answers now.';
