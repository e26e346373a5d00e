/*
 * The last message was sent, and there may be another number; or the next reminder is queued for a later time. Not after a response, a bounce,
 * a cancellation or an erasure, not for a suppressed address, and not within 24 hours of the message before.
 *
 * Pins: lookup plan.
 */
create or replace function invite.remindable(invitation_ids bigint[], at timestamptz) returns bigint[]
language plpgsql stable
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
begin
  return array(
    select i.id
    from invite.invitations as i
    join invite.messages as m on m.invitation_id = i.id and m.is_last
    join invite.messages as b on b.invitation_id = i.id and b.number = case when m.status::text = 'queued' then m.number - 1 else m.number end
    where i.id = any (remindable.invitation_ids)
      and i.responded_at is null and i.bounced_at is null and i.erased_at is null
      and m.cancelled_at is null
      and (m.status::text = 'sent' and m.number < 5 or m.status::text = 'queued' and m.due_at > remindable.at)
      and b.sent_at <= remindable.at - interval '24 hours'
      and not exists (select from invite.suppressions as p where p.workspace_id = i.workspace_id and p.email = lower(i.email))
    order by i.id);
end
$$;
comment on function invite.remindable(bigint[], timestamptz) is 'Those of the given invitations whose next reminder a person may send now.';
