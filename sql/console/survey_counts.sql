/*
 * The invitations of a survey by status as people see it, and the reminders that are held or being sent, each counted up to max_count by
 * the list index. `<> 'sending'` is that index's predicate; what is being sent is among what workers hold.
 * Called by: the HTTP process. Raises: P0002, 42501 (require_role).
 */
create or replace function invite.survey_counts(session_hash bytea, survey_id text, max_count integer default 10000) returns invite.survey_counts
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
set enable_seqscan = off set enable_bitmapscan = off
as $$
declare
  s text := survey_counts.survey_id;
  n integer := survey_counts.max_count;
  v_counts invite.survey_counts;
begin
  perform invite.require_survey_role(survey_counts.session_hash, s, 'editor');
  with counted as (
    select k.status, m.mail, c.number
    from unnest(enum_range(null::invite.invitation_status)) as k (status)
    cross join unnest(enum_range(null::invite.mail_kind)) as m (mail)
    cross join lateral (
      select count(*) as number
      from (
        select from invite.invitations as i
        where i.survey_id = s and i.status = k.status and i.mail = m.mail and i.status <> 'sending'
        limit n
      ) as r
    ) as c
    where k.status <> 'sending'
    union all
    select i.status, i.mail, count(*)
    from invite.invitations as i
    where i.survey_id = s and i.status = 'sending'
    group by i.status, i.mail
  )
  select jsonb_object_agg(t.name, least(t.number, n)) into v_counts.counts
  from (
    select k.status::text as name, coalesce(sum(c.number), 0) as number
    from unnest(enum_range(null::invite.invitation_status)) as k (status)
    left join counted as c on invite.shown_status(c.status, c.mail) = k.status
    group by k.status
    union all
    select 'reminders_' || k.status, coalesce(sum(c.number), 0)
    from unnest('{waiting,sending}'::invite.invitation_status[]) as k (status)
    left join counted as c on c.status = k.status and c.mail = 'reminder'
    group by k.status
  ) as t;
  return v_counts;
end
$$;
comment on function invite.survey_counts(bytea, text, integer) is
  'The invitations of a survey by status as people see it, each counted up to max_count.';
