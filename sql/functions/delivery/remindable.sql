/*
 * The last message was sent, and there may be another number; or the next reminder is queued for a later time. Not after a response, a bounce,
 * a cancellation or an erasure, not for an address that is suppressed or wants no email about the survey, not within 24 hours of the message
 * before, and not past the end of the link or of the survey, when a claim would skip it.
 *
 * Pins: lookup plan.
 */
create or replace function invite.remindable(invitation_ids bigint[], at timestamptz) returns bigint[]
language plpgsql stable
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
declare
  v_rules constant invite.survey_rules[] := invite.rules_of_surveys(remindable.invitation_ids, null);
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
      and (v_rules is null or not exists (
        select
        from unnest(v_rules) as r
        join invite.messages as f on f.invitation_id = i.id and f.number = 0
        where r.survey_id = i.survey_id
          and (
            (invite.deadline_of(r, remindable.at, f.sent_at)).at < remindable.at
            or invite.has_declined(r, i.email))))
    order by i.id);
end
$$;
comment on function invite.remindable(bigint[], timestamptz) is 'Those of the given invitations whose next reminder a person may send now.';
