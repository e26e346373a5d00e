/*
 * Each of three selects reads one part of an index in its order, so that no other message is read.
 */
create or replace function invite.reminder_candidates(survey_id text, after_id bigint, max_rows integer) returns bigint[]
language sql stable
as $$
  select array(
    select c.invitation_id
    from (values ('sent', 'invitation'), ('sent', 'reminder'), ('queued', 'reminder')) as k (status, message_kind)
    cross join lateral (
      select m.invitation_id
      from invite.messages as m
      where m.survey_id = reminder_candidates.survey_id
        and m.status = k.status::invite.message_status and m.message_kind = k.message_kind::invite.message_kind
        and m.is_last and m.status <> 'sending' and m.invitation_id > reminder_candidates.after_id
      order by m.invitation_id
      limit reminder_candidates.max_rows
    ) as c
    order by c.invitation_id
    limit reminder_candidates.max_rows)
$$;
comment on function invite.reminder_candidates(text, bigint, integer) is
  'The first invitations of a survey after an id that were sent: those that remindable may name.';
