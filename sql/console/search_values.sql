/*
 * Newest first. At most max_scanned are read. Pins: index order, offset 0 fence.
 */
create function console.search_values(workspace_id text, search text, max_rows integer, max_scanned integer default 5000) returns bigint[]
language sql stable
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
  select array(
    select c.id
    from (
      select x.invitation_id as id
      from invite.search_terms as x
      where x.term = (invite.terms_of(search_values.workspace_id, jsonb_build_object('value', search_values.search)))[1]
      order by x.invitation_id desc
      limit search_values.max_scanned
    ) as c
    cross join lateral (
      select v.workspace_id, coalesce(b.metadata, '{}') || coalesce(v.metadata, '{}') as metadata
      from invite.invitations as v
      join invite.batches as b on b.id = v.batch_id
      where v.id = c.id
      offset 0
    ) as i
    where i.workspace_id = search_values.workspace_id
      and exists (select from jsonb_each_text(i.metadata) as m where lower(m.value) = lower(search_values.search))
    order by c.id desc
    limit search_values.max_rows)
$$;
comment on function console.search_values(text, text, integer, integer) is 'The newest invitations of a workspace with a text as a value of their metadata; bounded.';
