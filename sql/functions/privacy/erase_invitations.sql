/*
 * Also erases the relay's text, in the invitations and in their events, because it may quote an address. Responses stay, and keep their
 * attribution; suppressions stay too.
 *
 * with_response: also the answers and metadata of their responses, and the metadata of the invitation, and of its batch if that has no other
 * recipient. A response without answers is still one: the number of responses, the response rate and a survey's limit stay as they are. The
 * triggers of responses take its answers out of the figures of each question.
 *
 * The callers hold the locks of lock_invitations. Recording an event locks the invitation's row (for key share, by the foreign key).
 * So the event is seen here, or its recorder finds the invitation erased. Pins: lookup plan.
 */
create or replace function invite.erase_invitations(
  invitation_ids bigint[], at timestamptz, with_response boolean default false
) returns invite.erase_result
language plpgsql volatile
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
declare
  v_settled bigint[];
  v_workspaces text[];
  v_emails text[];
  v_result invite.erase_result := row(0, 0, 0, 0);
begin
  -- Waits for what index_recipients is adding.
  perform from invite.queue_progress as p where p.queue = 'invitations' and p.read_from <= any (erase_invitations.invitation_ids) for share;
  v_settled := array(
    select i.id
    from invite.invitations as i
    join invite.messages as m on m.invitation_id = i.id and m.is_last
    where i.id = any (erase_invitations.invitation_ids) and m.not_before is null and i.erased_at is null
  );
  select array_agg(i.workspace_id), array_agg(lower(i.email collate "C")) into v_workspaces, v_emails
  from invite.invitations as i
  where i.id = any (v_settled);
  delete from invite.addresses as a
  using invite.invitations as i
  where i.id = any (v_settled) and a.workspace_id = i.workspace_id and a.email = lower(i.email) and a.invitation_id = i.id;

  update invite.invitations as i set email = null, name = null, erased_at = erase_invitations.at where i.id = any (v_settled);
  perform invite.renew_persons(v_workspaces, v_emails);
  update invite.messages as m set last_error = null, is_erased = true where m.invitation_id = any (v_settled);

  delete from invite.test_emails as e where e.invitation_id = any (v_settled);
  delete from invite.test_plans as p where p.invitation_id = any (v_settled);
  perform invite.erase_relay_events(v_settled);
  -- A receiver may have quoted the address.
  update invite.webhook_deliveries as d
  set response_start = null
  where d.response_start is not null
    and d.event_position = any (array(select e.position from invite.events as e where e.invitation_id = any (v_settled)))
    and d.event_id = any (array(select e.id from invite.events as e where e.invitation_id = any (v_settled)));
  v_result.erased := cardinality(v_settled);
  if erase_invitations.with_response then
    v_result.responses := invite.erase_responses(v_settled, erase_invitations.at);
  end if;
  return v_result;
end
$$;
comment on function invite.erase_invitations(bigint[], timestamptz, boolean) is
  'Erases address, name and the relay''s text of those of the given invitations that are settled, and what was answered, if asked for.';
