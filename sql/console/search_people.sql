/*
 * First come addresses that begin with the text, in their order; at most max_scanned of the workspace are read. Then come persons of whom each
 * word is a part of name or address, the most recently invited first. If more than max_found have all words, these are some of them: people
 * enter more. In a test workspace, which has no persons, the first max_scanned addresses are read. Pins: index order, offset 0 fence, opaque column.
 */
create function console.search_people(
  workspace_id text, search text, max_rows integer, max_scanned integer default 5000, max_found integer default 1000
) returns bigint[]
language plpgsql stable
set enable_seqscan = off set enable_indexonlyscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
declare
  v_workspace constant text := search_people.workspace_id;
  v_address constant text := lower(search_people.search collate "C");
  v_words constant text[] := invite.search_words(search_people.search);
  v_keys constant bigint[] := invite.search_keys(v_workspace, invite.person_parts(v_words));
  v_patterns constant text[] := invite.word_patterns(v_words, true);
  v_found text[];
  v_ids bigint[];
begin
  v_ids := array(
    select max(f.invitation_id)
    from (
      select a.email, a.invitation_id
      from invite.addresses as a
      where a.workspace_id = v_workspace and a.email >= v_address and a.email < v_address || chr(1114111)
      order by a.workspace_id, a.email
      limit search_people.max_scanned
    ) as f
    group by f.email
    order by f.email
    limit search_people.max_rows);
  if cardinality(v_ids) >= search_people.max_rows or v_keys = '{}' then
    return v_ids;
  end if;
  if exists (select from invite.workspaces as w where w.id = v_workspace and w.test_of is not null) then
    v_found := array(
      select distinct a.email
      from (
        select x.email, x.invitation_id from invite.addresses as x where x.workspace_id = v_workspace
        order by x.workspace_id, x.email limit search_people.max_scanned
      ) as a
      join invite.invitations as i on i.id = a.invitation_id
      where ' ' || invite.person_line(a.email, invite.person_name(i.name)) like all (v_patterns));
  else
    v_found := array(
      select p.email
      from invite.persons as p
      where invite.person_keys(p.workspace_id, p.email, p.name) @> v_keys
        and p.workspace_id || '' = v_workspace and ' ' || invite.person_line(p.email, p.name) like all (v_patterns)
      limit search_people.max_found);
  end if;
  return v_ids || array(
    select l.id
    from unnest(v_found) as f (email)
    cross join lateral (
      select max(a.invitation_id) as id from invite.addresses as a where a.workspace_id = v_workspace and a.email = f.email
    ) as l
    where not starts_with(f.email, v_address) and l.id is not null
    order by l.id desc
    limit search_people.max_rows - cardinality(v_ids));
end
$$;
comment on function console.search_people(text, text, integer, integer, integer) is
  'The newest invitation of each person of a workspace whom a text finds: by the first characters of the address, then by parts of name and address; bounded.';
