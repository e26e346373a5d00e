create type console.survey as (
  survey_id text, title text, state invite.survey_state, hold_reason invite.hold_reason, responses integer, responded integer, invited integer,
  counts jsonb, capped boolean, bounced integer, is_being_deleted boolean
);
comment on type console.survey is
  'A survey on its workspace''s page. counts: invitations by status, null for viewers. invited: those that were sent and didn''t bounce; responded: '
  'those of them with a response. bounced: those that bounced without a response. capped: there are more, only the newest were counted.';

/*
 * Newest first; before_id: the last one of the page before. Of each survey on the page the newest max_invitations, found by batches (the hot table needs
 * no index for it), and responses up to max_responses. Viewers get no counts: they read Results. Pins: batch scan, open bound.
 */
create function console.surveys(
  session_hash bytea, workspace_id text, before_id text default null, max_surveys integer default 50, max_invitations integer default 100,
  max_responses integer default 1001
) returns setof console.survey
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off set jit = off
as $$
declare
  v_member invite.members := console.require_role(surveys.session_hash, surveys.workspace_id, 'viewer');
  v_before invite.surveys;
begin
  select s.* into v_before from invite.surveys as s where s.id = surveys.before_id and s.workspace_id = surveys.workspace_id;
  v_before.created_at := coalesce(v_before.created_at, 'infinity');
  return query
    select
      s.id, s.title, s.state, s.hold_reason, r.responses, coalesce(c.responded, 0)::integer, greatest(coalesce(c.invited, 0) - x.bounced, 0)::integer,
      case when v_member.role < 'viewer' then coalesce(c.counts, '{}') end, coalesce(c.scanned, 0) >= surveys.max_invitations,
      x.bounced, newest.deletion_started_at is not null
    from (
      select x.id, x.deletion_started_at from invite.surveys as x
      where x.workspace_id = surveys.workspace_id
        and x.created_at <= v_before.created_at and (x.created_at < v_before.created_at or x.id > v_before.id)
      order by x.created_at desc, x.id
      limit surveys.max_surveys
    ) as newest
    join invite.survey_overview as s on s.id = newest.id
    cross join lateral (
      select count(*)::integer as responses
      from (select from invite.responses as r where r.survey_id = s.id limit surveys.max_responses) as n
    ) as r
    cross join lateral (
      select
        sum(g.number) as scanned, sum(g.invited) as invited, sum(g.responded) as responded, jsonb_object_agg(g.status, g.number) as counts,
        min(g.oldest_id) as oldest_id
      from (
        select
          invite.display_status(n.status, n.message_kind) as status, count(*) as number, count(n.sent_at) as invited,
          count(n.responded_at) as responded, min(n.id) as oldest_id
        from (
          select i.id, i.status, i.message_kind, i.sent_at, i.responded_at
          from invite.batches as b
          cross join lateral (
            select x.id, x.status, x.message_kind, x.sent_at, x.responded_at from invite.invitations as x where x.batch_id = b.id offset 0
          ) as i
          where b.survey_id = s.id
          order by b.accepted_at desc
          limit surveys.max_invitations
        ) as n
        group by 1
      ) as g
    ) as c
    cross join lateral (
      select count(*)::integer as bounced
      from (
        select
        from invite.invitation_outcomes as o
        cross join lateral (select v.sent_at, v.responded_at from invite.invitations as v where v.id = o.invitation_id offset 0) as i
        where o.survey_id = s.id and o.outcome = 'bounced' and o.invitation_id >= c.oldest_id
          and i.sent_at is not null and i.responded_at is null
        limit surveys.max_invitations
      ) as b
    ) as x
    order by s.created_at desc, s.id;
end
$$;
comment on function console.surveys(bytea, text, text, integer, integer, integer) is
  'A page of a workspace''s surveys, newest first, with the counts of their invitations.';
