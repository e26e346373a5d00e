create type console.search_hit as (
  found invite.search_group, id text, survey_id text, survey_title text, email text, name text, detail text, at timestamptz
);
comment on type console.search_hit is
  'Something that a search found. person: id: of the newest invitation. invitation: detail: the keys of the value. response: detail: its comments; '
  'email, name: null for viewers. survey: detail: its state. at: accepted, submitted or created.';

/*
 * Recipients are found for editors and above. Viewers find what they see elsewhere: surveys, and comments without who wrote them. What is
 * searched for is stored nowhere. Pins: lookup plan, offset 0 fence.
 */
create function console.search(session_hash bytea, workspace_id text, search text, max_rows integer default 5)
returns setof console.search_hit
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
declare
  v_member constant invite.members := console.require_role(search.session_hash, search.workspace_id, 'viewer');
  v_editor constant boolean := v_member.role <= 'editor';
  v_patterns constant text[] := invite.word_patterns(invite.search_words(search.search), true);
  v_ids bigint[];
begin
  if v_editor then
    v_ids := console.search_people(search.workspace_id, search.search, search.max_rows);
    return query
      select 'person'::invite.search_group, i.id::text, i.survey_id, s.title, i.email, i.name, null::text, b.accepted_at
      from unnest(v_ids) with ordinality as f (id, place)
      cross join lateral (select x.* from invite.invitations as x where x.id = f.id offset 0) as i
      join invite.batches as b on b.id = i.batch_id
      join invite.surveys as s on s.id = i.survey_id
      order by f.place;

    v_ids := console.search_values(search.workspace_id, search.search, search.max_rows);
    return query
      select
        'invitation'::invite.search_group, i.id::text, i.survey_id, s.title, i.email, i.name,
        (
          select string_agg(m.key, ', ' order by m.key)
          from jsonb_each_text(coalesce(b.metadata, '{}') || coalesce(i.metadata, '{}')) as m
          where lower(m.value) = lower(search.search)
        ),
        b.accepted_at
      from unnest(v_ids) with ordinality as f (id, place)
      cross join lateral (select x.* from invite.invitations as x where x.id = f.id offset 0) as i
      join invite.batches as b on b.id = i.batch_id
      join invite.surveys as s on s.id = i.survey_id
      order by f.place;
  end if;

  v_ids := console.search_comments(search.workspace_id, search.search, search.max_rows);
  return query
    select
      'response'::invite.search_group, r.id::text, r.survey_id, s.title, case when v_editor then i.email end, case when v_editor then i.name end,
      invite.comment_text(invite.every_question(r.survey_id), r.answers), r.submitted_at
    from unnest(v_ids) with ordinality as f (id, place)
    cross join lateral (select x.* from invite.responses as x where x.id = f.id offset 0) as r
    join invite.surveys as s on s.id = r.survey_id
    left join lateral (select x.* from invite.invitations as x where x.id = r.invitation_id offset 0) as i on true
    order by f.place;

  return query
    select 'survey'::invite.search_group, s.id, s.id, s.title, null::text, null::text, s.state::text, s.created_at
    from invite.surveys as s
    where s.workspace_id = search.workspace_id
      and (s.id = search.search or v_patterns <> '{}' and ' ' || invite.folded(s.title) like all (v_patterns))
    order by s.created_at desc, s.id
    limit search.max_rows;
end
$$;
comment on function console.search(bytea, text, text, integer) is
  'What a member of a workspace finds by a text: people by parts of name or address, invitations by a value of their metadata, responses by words of their '
  'comments, surveys by title; of each at most max_rows.';
