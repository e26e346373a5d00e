/*
 * Also counts the reminders that are held or being sent, and the outcomes. sent_total and responded_total have no limit: sent_total is what Home and
 * Results say, too. `<> 'sending'` is the predicate of the list index. Messages that are being sent aren't in that index; they are found among all that
 * workers hold. Pins: index order.
 */
create function console.invitation_counts(session_hash bytea, survey_id text, max_count integer default 10000, out counts jsonb)
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
set enable_seqscan = off set enable_bitmapscan = off set jit = off
as $$
declare
  s text := invitation_counts.survey_id;
  n integer := invitation_counts.max_count;
  v_all jsonb;
begin
  perform console.require_survey_role(invitation_counts.session_hash, s, 'editor');
  with counted as (
    select k.status, l.message_kind, c.invitations
    from unnest(enum_range(null::invite.message_status)) as k (status)
    cross join unnest(enum_range(null::invite.message_kind)) as l (message_kind)
    cross join lateral (
      select count(*) as invitations
      from (
        select from invite.messages as m
        where m.survey_id = s and m.status = k.status and m.message_kind = l.message_kind and m.is_last and m.status <> 'sending'
        limit n
      ) as r
    ) as c
    where k.status <> 'sending'
    union all
    select m.status, m.message_kind, count(*)
    from invite.messages as m
    where m.survey_id = s and m.status = 'sending'
    group by m.status, m.message_kind
  )
  select jsonb_object_agg(t.name, least(t.number, n)) into counts
  from (
    select k.status::text as name, coalesce(sum(c.invitations), 0) as number
    from unnest(enum_range(null::invite.message_status)) as k (status)
    left join counted as c on invite.display_status(c.status, c.message_kind) = k.status
    where k.status <> 'answered'
    group by k.status
    union all
    select 'reminders_' || k.status, coalesce(sum(c.invitations), 0)
    from unnest('{waiting,sending}'::invite.message_status[]) as k (status)
    left join counted as c on c.status = k.status and c.message_kind = 'reminder'
    group by k.status
    union all
    select k.outcome::text, c.number
    from unnest(enum_range(null::invite.invitation_outcome)) as k (outcome)
    cross join lateral (
      select count(*) as number
      from (select from invite.invitation_outcomes as o where o.survey_id = s and o.outcome = k.outcome limit n) as r
    ) as c
  ) as t;
  v_all := console.count_all(s);
  counts := counts || jsonb_build_object(
    'sent_total', coalesce((v_all ->> 'sent')::bigint, 0),
    'responded_total', case when (counts ->> 'responded')::bigint < n then (counts ->> 'responded')::bigint else (v_all ->> 'responded')::bigint end);
end
$$;
comment on function console.invitation_counts(bytea, text, integer) is
  'The invitations of a survey by status as people see it, and by outcome, each counted up to max_count, and two totals.';
