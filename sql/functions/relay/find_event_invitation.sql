/*
 * The invitation's id in the event counts only if the address or the relay's message id fits too. Another installation that uses the same
 * relay account has the same small ids, and its bounce must not suppress a recipient here. Without that id, the function looks for the
 * relay's message id among the newest 100 invitations of each workspace to the address: somebody who invites one address very often must
 * not delay the events of all.
 * An invitation that was never given to a relay doesn't fit.
 */
create or replace function invite.find_event_invitation(invitation_id bigint, relay_message_id text, email text) returns bigint
language sql stable
as $$
  select i.id
  from invite.invitations as i
  join invite.messages as m on m.invitation_id = i.id
  where i.id = find_event_invitation.invitation_id
    and (m.attempts > 0 or num_nonnulls(m.sent_at, m.unconfirmed_since, m.relay_message_id) > 0)
    and (
      lower(i.email) = lower(find_event_invitation.email collate "C")
      or btrim(m.relay_message_id, '<>') = btrim(find_event_invitation.relay_message_id, '<>')
    )
  union all
  select m.invitation_id
  from invite.messages as m
  where m.invitation_id = any (array(
      select a.invitation_id
      from invite.workspaces as w
      cross join lateral (
        select x.invitation_id
        from invite.addresses as x
        where x.workspace_id = w.id and x.email = lower(find_event_invitation.email collate "C")
        order by x.invitation_id desc
        limit 100
      ) as a
    ))
    and btrim(m.relay_message_id, '<>') = btrim(find_event_invitation.relay_message_id, '<>')
  limit 1
$$;
comment on function invite.find_event_invitation(bigint, text, text) is
  'The attempted invitation that a relay event is about, by the id in its metadata or by the relay''s message id; null if none fits.';
