/*
 * The id that the relay gives back counts only if the address or the relay's message id agrees: another installation on the same relay
 * account has the same small ids, and its bounce must not suppress a recipient here. Without that id, the relay's message id is looked for
 * among the invitations of the address, workspace by workspace.
 * What no relay was ever given has no event.
 */
create or replace function invite.find_event_invitation(invitation_id bigint, relay_message_id text, email text) returns bigint
language sql stable
as $$
  select i.id
  from invite.invitations as i
  where i.id = find_event_invitation.invitation_id
    and (i.attempts > 0 or num_nonnulls(i.sent_at, i.unconfirmed_since, i.relay_message_id) > 0)
    and (
      lower(i.email) = lower(find_event_invitation.email collate "C")
      or btrim(i.relay_message_id, '<>') = btrim(find_event_invitation.relay_message_id, '<>')
    )
  union all
  select i.id
  from invite.invitations as i
  where i.id = any (array(
      select a.invitation_id
      from invite.workspaces as w
      cross join lateral (
        select x.invitation_id from invite.addresses as x where x.workspace_id = w.id and x.email = lower(find_event_invitation.email collate "C") offset 0
      ) as a
    ))
    and btrim(i.relay_message_id, '<>') = btrim(find_event_invitation.relay_message_id, '<>')
  limit 1
$$;
comment on function invite.find_event_invitation(bigint, text, text) is
  'The attempted invitation that a relay event is about, by the id in its metadata or by the relay''s message id; null if none fits.';
