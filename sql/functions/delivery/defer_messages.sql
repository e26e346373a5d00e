/*
 * For what a claim has locked and a rule puts off: it stays queued, and a worker looks again at its until. What waits for more than a minute
 * gets no job until then: the sweep makes it, as for a reminder.
 *
 * Locks: the batches, by id (for no key update), only if the workspace records events: each records that it is deferred once for each rule.
 */
create or replace function invite.defer_messages(messages invite.due_message[], at timestamptz) returns void
language plpgsql volatile
as $$
begin
  update invite.messages as m
  set
    rule = d.reason,
    not_before = d.until,
    sweep_at = case when d.until > defer_messages.at + interval '1 minute' then d.until - interval '1 minute' else d.until + invite.job_grace() end
  from unnest(defer_messages.messages) as d
  where m.invitation_id = d.id and m.number = d.number;

  perform invite.queue_sends(array_agg(row(d.id, d.until)::invite.job_request))
  from unnest(defer_messages.messages) as d
  where d.until <= defer_messages.at + interval '1 minute';

  if exists (
    select from unnest(defer_messages.messages) as d join invite.messages as m on m.invitation_id = d.id and m.number = d.number where m.records_events
  ) then
    perform from invite.batches as b
    where b.id in (select d.batch_id from unnest(defer_messages.messages) as d)
    order by b.id
    for no key update;
    with first as (
      select distinct on (d.batch_id, d.reason) d.batch_id, d.reason, d.id, m.survey_id, m.message_kind
      from unnest(defer_messages.messages) as d
      join invite.messages as m on m.invitation_id = d.id and m.number = d.number
      join invite.batches as b on b.id = d.batch_id
      where m.records_events and d.reason <> all (coalesce(b.deferred_for, '{}'))
      order by d.batch_id, d.reason, d.id
    ),
    noted as (
      update invite.batches as b
      set deferred_for = coalesce(b.deferred_for, '{}') || f.reasons
      from (select f.batch_id, array_agg(f.reason) as reasons from first as f group by f.batch_id) as f
      where b.id = f.batch_id
    )
    insert into invite.new_events (type, at, survey_id, batch_id, invitation_id, message_kind, code)
    select 'invitation.deferred', defer_messages.at, f.survey_id, f.batch_id, f.id, f.message_kind, f.reason
    from first as f
    order by f.id;
  end if;
end
$$;
comment on function invite.defer_messages(invite.due_message[], timestamptz) is 'Puts off messages that a rule makes wait.';
