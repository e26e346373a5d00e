/*
 * Reads at most max_rows invitations of each status and kind of message, by the list index. Messages that are being sent aren't in that
 * index; they are found among all that workers hold. `<> 'sending'` is the predicate of the index.
 *
 * The condition on message_kind is a range, and message_kind is part of the order: so only the list index gives that order. Otherwise the
 * planner would prefer the primary key when much of the survey has the status, and read all newer rows. Pins: index order, opaque column.
 */
create function console.list_invitations(
  survey_id text, status invite.invitation_status, before_id bigint, max_rows integer
) returns bigint[]
language plpgsql stable
set enable_seqscan = off set enable_bitmapscan = off set jit = off
as $$
declare
  s text := list_invitations.survey_id;
  v_status invite.invitation_status := list_invitations.status;
  v_before bigint := coalesce(list_invitations.before_id, 9223372036854775807);
  n integer := list_invitations.max_rows;
begin
  return array(
    select l.id
    from (
      select f.id
      from unnest(enum_range(null::invite.invitation_status)) as k (status)
      cross join unnest(enum_range(null::invite.message_kind)) as m (message_kind)
      cross join lateral (
        select i.id
        from invite.invitations as i
        where i.survey_id = s and i.status = k.status and i.status <> 'sending'
          and i.message_kind >= m.message_kind and (i.message_kind, i.id) < (m.message_kind, v_before)
        order by i.message_kind desc, i.id desc
        limit n
      ) as f
      where v_status is null or invite.display_status(k.status, m.message_kind) = v_status
      union all
      (
        select i.id
        from invite.invitations as i
        where i.survey_id = s and i.status = 'sending' and i.id < v_before
          and (v_status is null or invite.display_status(i.status, i.message_kind) = v_status)
        order by i.id + 0 desc
        limit n
      )
    ) as l
    order by l.id desc
    limit n);
end
$$;
comment on function console.list_invitations(text, invite.invitation_status, bigint, integer) is
  'The ids of the newest invitations of a survey before an id. status: as people see it; null: all.';
