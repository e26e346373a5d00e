/*
 * Reads at most max_rows invitations of each status and kind of message, by the list index. Messages that are being sent aren't in that
 * index; they are found among all that workers hold. `<> 'sending'` is the predicate of the index.
 *
 * The condition on message_kind is a range, and message_kind is part of the order: so only the list index gives that order. Otherwise the
 * planner would prefer the primary key when much of the survey has the status, and read all newer rows. Pins: index order, opaque column.
 */
create function console.list_invitations(
  survey_id text, status invite.message_status, before_id bigint, max_rows integer
) returns bigint[]
language plpgsql stable
set enable_seqscan = off set enable_bitmapscan = off set jit = off
as $$
declare
  s text := list_invitations.survey_id;
  v_status invite.message_status := list_invitations.status;
  v_before bigint := coalesce(list_invitations.before_id, 9223372036854775807);
  n integer := list_invitations.max_rows;
begin
  return array(
    select l.id
    from (
      select f.id
      from unnest(enum_range(null::invite.message_status)) as k (status)
      cross join unnest(enum_range(null::invite.message_kind)) as o (message_kind)
      cross join lateral (
        select m.invitation_id as id
        from invite.messages as m
        where m.survey_id = s and m.status = k.status and m.is_last and m.status <> 'sending'
          and m.message_kind >= o.message_kind and (m.message_kind, m.invitation_id) < (o.message_kind, v_before)
        order by m.message_kind desc, m.invitation_id desc
        limit n
      ) as f
      where v_status is null or invite.display_status(k.status, o.message_kind) = v_status
      union all
      (
        select m.invitation_id
        from invite.messages as m
        where m.survey_id = s and m.status = 'sending' and m.invitation_id < v_before
          and (v_status is null or invite.display_status(m.status, m.message_kind) = v_status)
        order by m.invitation_id + 0 desc
        limit n
      )
    ) as l
    order by l.id desc
    limit n);
end
$$;
comment on function console.list_invitations(text, invite.message_status, bigint, integer) is
  'The ids of the newest invitations of a survey before an id. status: as people see it; null: all.';
