/*
 * Suppresses each recipient in the invitation's workspace. An existing suppression keeps its reason, but a complaint, which nobody can take
 * back, replaces any other reason. If the invitation was erased, the address in the event is suppressed: a complaint counts, no matter how
 * late it comes.
 *
 * Locks: inserts in the order of the key, so that two calls cannot wait for each other.
 */
create or replace function invite.suppress_recipients(events invite.relay_events[]) returns void
language sql volatile
as $$
  insert into invite.suppressions as s (workspace_id, email, reason)
  select distinct on (i.workspace_id, lower(coalesce(i.email, e.email)))
    i.workspace_id, lower(coalesce(i.email, e.email)), e.type::text::invite.suppression_reason
  from unnest(suppress_recipients.events) as e
  join invite.invitations as i on i.id = e.invitation_id
  where e.type in ('hard_bounce', 'complaint', 'unsubscribe') and coalesce(i.email, e.email) is not null
  order by i.workspace_id, lower(coalesce(i.email, e.email)), array_position('{complaint,unsubscribe,hard_bounce}', e.type::text), e.occurred_at
  on conflict on constraint suppressions_pkey do update set reason = excluded.reason, added_by = null
  where excluded.reason = 'complaint' and s.reason <> 'complaint'
$$;
comment on function invite.suppress_recipients(invite.relay_events[]) is
  'Suppresses the recipients that relay events report as hard bounced, complaining or unsubscribed.';
