create or replace function invite.wording_lines(workspace_id text, language text)
returns table (name text, service_text text, own_text text, original_text text)
language sql stable security definer
set search_path = pg_catalog, pg_temp
as $$
  select s.name, s.text, o.words ->> s.name, o.originals ->> s.name
  from (select wording_lines.workspace_id as id) as k
  left join invite.wordings as o on o.workspace_id = k.id and o.language = wording_lines.language
  cross join lateral invite.service_says(wording_lines.language, coalesce(o.informal, false)) as s
  order by s.name
$$;
comment on function invite.wording_lines(text, text) is
  'Each text of the service in a language (or in English), beside the workspace''s own, and what the service said when that was written. If the '
  'first and the last differ, the own one is outdated.';
