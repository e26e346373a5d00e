/*
 * Also erases the relay's text, in the invitations and in their events, because it may quote an address. Responses stay, and keep their
 * attribution; suppressions stay too.
 *
 * The callers hold the invitations' locks, for update. Recording an event locks the invitation's row (for key share, by the foreign key).
 * So the event is seen here, or its recorder finds the invitation erased. Pins: lookup plan.
 */
create or replace function invite.erase_invitations(invitation_ids bigint[], at timestamptz) returns integer
language plpgsql volatile
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
declare
  v_erased bigint[];
begin
  -- Waits for the terms that index_recipients is adding.
  perform from invite.queue_progress as p where p.queue = 'invitations' and p.read_from <= any (erase_invitations.invitation_ids) for share;
  delete from invite.search_terms as x
  using invite.invitations as i
  join invite.batches as b on b.id = i.batch_id
  cross join lateral unnest(invite.terms_of(b.workspace_id, i.name, null)) as t (term)
  where i.id = any (erase_invitations.invitation_ids) and i.due_at is null and i.erased_at is null
    and x.term = t.term and x.invitation_id = i.id;

  delete from invite.addresses as a
  using invite.invitations as i
  join invite.batches as b on b.id = i.batch_id
  where i.id = any (erase_invitations.invitation_ids) and i.due_at is null and i.erased_at is null
    and a.workspace_id = b.workspace_id and a.email = lower(i.email) and a.invitation_id = i.id;
  with erased as (
    update invite.invitations as i
    set email = null, name = null, last_error = null, erased_at = erase_invitations.at
    where i.id = any (erase_invitations.invitation_ids) and i.due_at is null and i.erased_at is null
    returning i.id
  )
  select array_agg(e.id) into v_erased
  from erased as e;

  perform invite.erase_relay_events(v_erased);
  -- A receiver may have quoted the address.
  update invite.webhook_deliveries as d
  set response_start = null
  where d.response_start is not null
    and d.event_position = any (array(select e.position from invite.events as e where e.invitation_id = any (v_erased)));
  return coalesce(cardinality(v_erased), 0);
end
$$;
comment on function invite.erase_invitations(bigint[], timestamptz) is
  'Erases address, name and the relay''s text of those of the given invitations that are settled. Returns how many.';
