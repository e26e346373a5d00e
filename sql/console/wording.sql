create type console.wording as (
  base text, informal boolean, has_informal boolean, spoken boolean, lines jsonb
);
comment on type console.wording is
  'A workspace''s wording of a language. base: the service''s language under it, or null. lines: as wording_lines, in camel case.';

create function console.wording(session_hash bytea, workspace_id text, language text) returns console.wording
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform console.require_role(wording.session_hash, wording.workspace_id, 'admin');
  return (
    select row(
      invite.wording_base(k.language), coalesce(o.informal, false), invite.has_informal(k.language), coalesce(o.spoken, false),
      (
        select jsonb_agg(jsonb_build_object(
          'name', l.name, 'serviceText', l.service_text, 'ownText', l.own_text, 'originalText', l.original_text) order by l.name)
        from invite.wording_lines(k.workspace_id, k.language) as l
      ))::console.wording
    from (select wording.workspace_id, wording.language) as k
    left join invite.wordings as o on o.workspace_id = k.workspace_id and o.language = k.language);
end
$$;
comment on function console.wording(bytea, text, text) is 'What a workspace has recipients read in a language, for owners and admins.';
