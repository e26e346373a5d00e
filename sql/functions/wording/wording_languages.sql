create or replace function invite.wording_languages(workspace_id text)
returns table (language text, base text, informal boolean, spoken boolean, own integer, missing integer, outdated integer)
language sql stable security definer
set search_path = pg_catalog, pg_temp
as $$
  select
    o.language, b.tag, o.informal, o.spoken, c.own, case when b.tag is null then c.missing else 0 end, c.outdated
  from invite.wordings as o
  cross join lateral (select invite.wording_base(o.language) as tag) as b
  cross join lateral (
    select
      (count(*) filter (where o.words ? s.name))::integer as own,
      (count(*) filter (where not o.words ? s.name))::integer as missing,
      (count(*) filter (where o.words ? s.name and o.originals ->> s.name is distinct from s.text))::integer as outdated
    from invite.service_says(o.language, o.informal) as s
  ) as c
  where o.workspace_id = wording_languages.workspace_id
  order by o.language
$$;
comment on function invite.wording_languages(text) is
  'The languages that a workspace words itself. base: the service''s under it; null: it doesn''t speak the language, so that missing texts are in English. '
  'own, outdated: how many texts.';
