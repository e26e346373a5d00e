create type console.survey as (
  survey_id text, title text, state invite.survey_state, hold_reason invite.hold_reason, responses bigint, sent bigint, invited bigint,
  responded bigint, unsent jsonb, is_being_deleted boolean, put_off jsonb
);
comment on type console.survey is
  'A survey on its workspace''s page. responses and sent: all of them. invited: invitations that were sent three or more days ago and didn''t '
  'bounce. responded: those of them with a response, no matter when it came. unsent: messages that haven''t been sent, by status, each counted '
  'up to max_unsent; null for viewers. put_off: the queued ones that a rule has put off, by rule (resting, outside_hours, capped): their number, counted '
  'up to max_unsent in all, and the first and the last time at which they are looked at again; null for viewers.';

/*
 * Newest first; before_id: the last survey of the previous page. The numbers are those of Results: the counts of all days minus those of
 * the last three days. Viewers don't see what hasn't been sent. Pins: lookup plan, index order, offset 0 fence.
 */
create function console.surveys(
  session_hash bytea, workspace_id text, before_id text default null, max_surveys integer default 50, max_unsent integer default 10001,
  at timestamptz default null
) returns setof console.survey
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off set jit = off
as $$
declare
  v_member invite.members := console.require_role(surveys.session_hash, surveys.workspace_id, 'viewer');
  v_before invite.surveys;
  v_now timestamptz := invite.now_of(surveys.workspace_id, invite.owner_time(surveys.at));
  v_until timestamptz := console.rated_until(v_now);
  v_day_end timestamptz := date_bin('1 day', v_until, '2000-01-01 00:00Z') + interval '24 hours';
begin
  select s.* into v_before from invite.surveys as s where s.id = surveys.before_id and s.workspace_id = surveys.workspace_id;
  v_before.created_at := coalesce(v_before.created_at, 'infinity');
  return query
    with newest as materialized (
      select x.id, x.deletion_started_at from invite.surveys as x
      where x.workspace_id = surveys.workspace_id
        and x.created_at <= v_before.created_at and (x.created_at < v_before.created_at or x.id > v_before.id)
      order by x.created_at desc, x.id
      limit surveys.max_surveys
    )
    select
      s.id, s.title, s.state, s.hold_reason, n.responses, n.sent, n.invited, n.responded, u.unsent, newest.deletion_started_at is not null,
      r.put_off
    from newest
    join invite.survey_overview as s on s.id = newest.id
    cross join lateral (
      select
        coalesce(sum(c.number) filter (where c.value in ('invitation', 'direct')), 0)::bigint as responses,
        coalesce(sum(c.number) filter (where c.value = 'sent'), 0)::bigint as sent,
        coalesce(sum(c.number - c.recent) filter (where c.value = 'sent'), 0)::bigint
          - coalesce(sum(c.number - c.recent) filter (where c.value = 'bounced'), 0)::bigint as invited,
        coalesce(sum(c.number - c.recent) filter (where c.value = 'responded'), 0)::bigint as responded
      from (
        select q.value, q.number, 0 as recent
        from invite.result_counts as q
        where q.survey_id = s.id and q.whole_day and q.starts_at = '-infinity' and q.question = ''
        union all
        select q.value, 0, q.number
        from invite.result_counts as q
        where q.survey_id = s.id and q.whole_day and q.starts_at >= v_day_end and q.question = ''
        union all
        select q.value, 0, q.number
        from invite.result_counts as q
        where q.survey_id = s.id and not q.whole_day and q.starts_at >= v_until and q.starts_at < v_day_end and q.question = ''
        union all
        select x.value, x.number, case when x.starts_at >= v_until then x.number else 0 end
        from invite.result_changes as x
        where x.id >= (select p.read_from from invite.queue_progress as p where p.queue = 'result_changes') and x.survey_id = s.id and x.question = ''
      ) as c
    ) as n
    left join lateral (
      select coalesce(jsonb_object_agg(k.status, c.number) filter (where c.number > 0), '{}') as unsent
      from unnest('{queued,waiting,failed,suppressed,cancelled,skipped}'::invite.message_status[]) as k (status)
      cross join lateral (
        select count(*) as number
        from (
          select from invite.messages as m
          where m.survey_id = s.id and m.status = k.status and m.message_kind = 'invitation' and m.is_last and m.status <> 'sending'
          limit surveys.max_unsent
        ) as l
      ) as c
    ) as u on v_member.role < 'viewer'
    left join lateral (
      select coalesce(jsonb_object_agg(
        g.rule, jsonb_build_object('number', g.number, 'first_at', g.first_at, 'last_at', g.last_at)), '{}') as put_off
      from (
        select l.rule, count(*) as number, min(l.not_before) as first_at, max(l.not_before) as last_at
        from (
          select m.rule, m.not_before from invite.messages as m
          where m.survey_id = s.id and m.rule is not null and m.status = 'queued'
          limit surveys.max_unsent
        ) as l
        where l.rule in ('resting', 'outside_hours', 'capped') and l.not_before > v_now
        group by l.rule
      ) as g
    ) as r on v_member.role < 'viewer'
    order by s.created_at desc, s.id;
end
$$;
comment on function console.surveys(bytea, text, text, integer, integer, timestamptz) is
  'A page of a workspace''s surveys, newest first, with their numbers.';
