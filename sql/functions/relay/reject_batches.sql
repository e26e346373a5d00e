/*
 * After five rejections in a row, the batch's other messages of this kind fail as content_rejected, so that a person looks at them. They
 * have the same text, and a thousand more rejections would harm everyone's reputation with the relay.
 *
 * verdicts: [{"batch_id", "message_kind", "accepted", "code"}]: the messages that the relay rejected, and the accepted messages of batches
 * with rejections.
 * Messages that are being sent are settled with their result; those that are queued again fail at their next claim.
 *
 * Pins: as the caller. Locks: the batches, by id, then their messages, by invitation (for no key update, skip locked: what is missed is counted
 * with the next rejection, and fails at its claim).
 */
create or replace function invite.reject_batches(verdicts jsonb, at timestamptz) returns void
language plpgsql volatile
as $$
declare
  v_locked uuid[];
begin
  v_locked := array(
    select b.id
    from invite.batches as b
    where b.id in (select (v ->> 'batch_id')::uuid from jsonb_array_elements(reject_batches.verdicts) as v)
    order by b.id
    for no key update skip locked
  );
  with counted as (
    select
      (v ->> 'batch_id')::uuid as batch_id, (v ->> 'message_kind')::invite.message_kind as message_kind, min(v ->> 'code') as code,
      count(*) as messages, bool_or((v ->> 'accepted')::boolean) as accepted
    from jsonb_array_elements(reject_batches.verdicts) as v
    group by v ->> 'batch_id', v ->> 'message_kind'
  ),
  judged as (
    update invite.batches as b
    set
      content_rejections = case when c.accepted then 0 else least(b.content_rejections + c.messages, 1000) end,
      rejected_kind = case
        when c.accepted then null
        when b.content_rejections + c.messages >= 5 then c.message_kind
        else b.rejected_kind
      end
    from counted as c
    where b.id = c.batch_id and b.id = any (v_locked)
    returning b.id, b.rejected_kind, c.code
  ),
  others as (
    select m.invitation_id, m.number, j.code
    from judged as j
    join invite.invitations as i on i.batch_id = j.id
    join invite.messages as m on m.invitation_id = i.id and m.message_kind = j.rejected_kind
    where m.status::text in ('queued', 'waiting')
    order by m.invitation_id
    for no key update of m skip locked
  )
  update invite.messages as m
  set
    status = 'failed', not_before = null, sweep_at = null, failed_at = reject_batches.at, last_error_code = 'content_rejected',
    last_error = invite.content_rejected_in_words(o.code)
  from others as o
  where m.invitation_id = o.invitation_id and m.number = o.number;
end
$$;
comment on function invite.reject_batches(jsonb, timestamptz) is
  'Counts rejected messages by batch. After five in a row, fails the batch''s other messages.';
