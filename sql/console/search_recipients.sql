/*
 * First come addresses that begin with the text; at most max_scanned of the workspace are read. Then come, newest first, recipients found
 * by search_terms: those with the text as a metadata value, and those with all its words in the name, which are looked up by the rarest
 * word. Again at most max_scanned are read. If one address was invited very often, other recipients may be missing. Pins: index order,
 * offset 0 fence.
 */
create function console.search_recipients(
  workspace_id text, search text, max_rows integer, max_scanned integer default 5000
) returns bigint[]
language plpgsql stable
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
declare
  v_workspace text := search_recipients.workspace_id;
  v_address text := lower(search_recipients.search collate "C");
  v_search text := lower(search_recipients.search);
  v_words text[] := array(select w.word from regexp_split_to_table(v_search, '\s+') as w (word) where w.word <> '' limit 8);
  v_word_terms bigint[] := invite.terms_of(v_workspace, array_to_string(v_words, ' '), null);
  v_term bigint;
  v_ids bigint[];
begin
  v_ids := array(
    select max(f.invitation_id)
    from (
      select a.email, a.invitation_id
      from invite.addresses as a
      where a.workspace_id = v_workspace and a.email >= v_address and a.email < v_address || chr(1114111)
      order by a.workspace_id, a.email
      limit search_recipients.max_scanned
    ) as f
    group by f.email
    order by f.email
    limit search_recipients.max_rows);
  for v_term in
    select v.term from unnest(invite.terms_of(v_workspace, null, jsonb_build_object('value', v_search))) as v (term)
    union all
    (
      select w.term
      from unnest(v_word_terms) as w (term)
      cross join lateral (
        select count(*) as number
        from (select from invite.search_terms as x where x.term = w.term limit search_recipients.max_scanned) as l
      ) as c
      where cardinality(v_word_terms) > 1
      order by c.number
      limit 1
    )
  loop
    v_ids := v_ids || array(
      select max(f.id)
      from (
        select c.id, lower(i.email) as address
        from (
          select x.invitation_id as id
          from invite.search_terms as x
          where x.term = v_term
          order by x.invitation_id desc
          limit search_recipients.max_scanned
        ) as c
        cross join lateral (
          select v.email, v.name, coalesce(b.metadata, '{}') || coalesce(v.metadata, '{}') as metadata, v.workspace_id
          from invite.invitations as v
          join invite.batches as b on b.id = v.batch_id
          where v.id = c.id
          offset 0
        ) as i
        where i.workspace_id = v_workspace
          and (
            regexp_split_to_array(lower(i.name), '\s+') @> v_words
            or exists (select from jsonb_each_text(i.metadata) as m where lower(m.value) = v_search)
          )
          and c.id <> all (v_ids)
          and not coalesce(starts_with(lower(i.email), v_address), false)
        order by c.id desc
        limit 4 * search_recipients.max_rows
      ) as f
      group by coalesce(f.address, f.id::text)
      order by max(f.id) desc
      limit search_recipients.max_rows - cardinality(v_ids));
  end loop;
  return v_ids;
end
$$;
comment on function console.search_recipients(text, text, integer, integer) is
  'The ids of a workspace''s invitations: first by the first characters of the address, each address once, then by name or a metadata value; '
  'bounded.';
