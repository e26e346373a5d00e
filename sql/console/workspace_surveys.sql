/*
 * The surveys of a workspace, newest first, with what became of their invitations. Bounded: at most max_surveys, and of each the newest
 * max_invitations, found by batches (the hot table needs no index for it), and responses up to max_responses. Viewers get no counts: they
 * read Results. The plan is pinned to the batches in their order (offset 0: each looked up by itself): by a guess of how many there are, the planner may join all of them.
 * Called by: the HTTP process. Raises: P0002 (require_role).
 */
create or replace function invite.workspace_surveys(
  session_hash bytea, workspace_id text, max_surveys integer default 100, max_invitations integer default 5000,
  max_responses integer default 10001
) returns setof invite.survey_card
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
as $$
declare
  v_email text := invite.require_role(workspace_surveys.session_hash, workspace_surveys.workspace_id, 'viewer');
  v_counts boolean := (
    select m.role < 'viewer' from invite.members as m
    where m.workspace_id = workspace_surveys.workspace_id and m.email = v_email);
begin
  return query
    select
      s.id, s.title, s.state, s.hold_reason, r.responses, coalesce(c.responded, 0)::integer, coalesce(c.invited, 0)::integer,
      case when v_counts then coalesce(c.counts, '{}') end, coalesce(c.looked, 0) >= workspace_surveys.max_invitations
    from (
      select o.* from invite.survey_overview as o
      where o.workspace_id = workspace_surveys.workspace_id
      order by o.created_at desc, o.id
      limit workspace_surveys.max_surveys
    ) as s
    cross join lateral (
      select count(*)::integer as responses
      from (select from invite.responses as r where r.survey_id = s.id limit workspace_surveys.max_responses) as n
    ) as r
    cross join lateral (
      select
        sum(g.number) as looked, sum(g.invited) as invited, sum(g.responded) as responded, jsonb_object_agg(g.status, g.number) as counts
      from (
        select invite.shown_status(n.status, n.mail) as status, count(*) as number, count(n.sent_at) as invited, count(n.responded_at) as responded
        from (
          select i.status, i.mail, i.sent_at, i.responded_at
          from invite.batches as b
          cross join lateral (select x.* from invite.invitations as x where x.batch_id = b.id offset 0) as i
          where b.survey_id = s.id
          order by b.accepted_at desc
          limit workspace_surveys.max_invitations
        ) as n
        group by 1
      ) as g
    ) as c
    order by s.created_at desc, s.id;
end
$$;
comment on function invite.workspace_surveys(bytea, text, integer, integer, integer) is
  'The surveys of a workspace with the counts of their invitations; bounded.';
