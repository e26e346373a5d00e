create type console.workspace_response as (
  id bigint, survey_id text, survey_title text, submitted_at timestamptz, invitation_id bigint, email text, name text, question jsonb, score jsonb,
  comment text, erased_at timestamptz
);
comment on type console.workspace_response is
  'A response among those of all surveys of a workspace. email, name: the recipient''s; null for viewers, without an invitation and after they were erased. '
  'question: the first with a score, an NPS before an average; score: the answer to it; null: none. comment: null: none. erased_at: when its answers were '
  'erased; null: they weren''t.';

/*
 * A page of them is among as many surveys with the newest responses: of each survey one response is looked up, and of these surveys a page.
 * before_id: the last response of the previous page; if it was deleted, the page is the first. Pins: lookup plan, index order, offset 0 fence.
 */
create function console.workspace_responses(
  session_hash bytea, workspace_id text, before_id bigint default null, max_rows integer default 50
) returns setof console.workspace_response
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off set jit = off
as $$
declare
  v_named boolean := (console.require_role(workspace_responses.session_hash, workspace_responses.workspace_id, 'viewer')).role <= 'editor';
  v_before invite.responses;
begin
  select r.* into v_before
  from invite.responses as r
  join invite.surveys as s on s.id = r.survey_id and s.workspace_id = workspace_responses.workspace_id
  where r.id = workspace_responses.before_id;
  v_before.submitted_at := coalesce(v_before.submitted_at, 'infinity');
  v_before.id := coalesce(v_before.id, 0);
  return query
    with recent as materialized (
      select s.id, s.title
      from invite.surveys as s
      cross join lateral (
        select x.submitted_at, x.id
        from invite.responses as x
        where x.survey_id = s.id and (x.submitted_at, x.id) < (v_before.submitted_at, v_before.id)
        order by x.submitted_at desc, x.id desc
        limit 1
      ) as n
      where s.workspace_id = workspace_responses.workspace_id and s.deletion_started_at is null
      order by n.submitted_at desc, n.id desc
      limit workspace_responses.max_rows
    ),
    newest as materialized (
      select s.title, r.id, r.submitted_at
      from recent as s
      cross join lateral (
        select x.id, x.submitted_at
        from invite.responses as x
        where x.survey_id = s.id and (x.submitted_at, x.id) < (v_before.submitted_at, v_before.id)
        order by x.submitted_at desc, x.id desc
        limit workspace_responses.max_rows
      ) as r
      order by r.submitted_at desc, r.id desc
      limit workspace_responses.max_rows
    )
    select
      r.id, r.survey_id, n.title, r.submitted_at, r.invitation_id, case when v_named then i.email end, case when v_named then i.name end, q.question,
      r.answers -> (q.question ->> 'id'), invite.comment_text(a.questions, r.answers), r.erased_at
    from newest as n
    cross join lateral (select x.* from invite.responses as x where x.id = n.id offset 0) as r
    cross join lateral (select invite.every_question(r.survey_id) as questions offset 0) as a
    left join lateral (
      select f.question
      from jsonb_array_elements(a.questions) with ordinality as f (question, place)
      where f.question ->> 'type' = 'score'
      order by (f.question -> 'nps' = 'true') is true desc, f.place
      limit 1
    ) as q on true
    left join lateral (select x.* from invite.invitations as x where x.id = r.invitation_id offset 0) as i on true
    order by n.submitted_at desc, n.id desc;
end
$$;
comment on function console.workspace_responses(bytea, text, bigint, integer) is
  'A page of the responses to all surveys of a workspace, newest first. Addresses and names are null for viewers.';
