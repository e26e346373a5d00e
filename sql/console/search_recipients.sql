/*
 * First the people whom search_people finds, then those with the text as a value of their metadata, newest first. Each address once; if one was
 * invited very often, others with its value may be missing.
 */
create function console.search_recipients(workspace_id text, search text, max_rows integer) returns bigint[]
language plpgsql stable
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
declare
  v_people constant bigint[] := console.search_people(
    search_recipients.workspace_id, search_recipients.search, search_recipients.max_rows);
  v_emails constant text[] := array(select lower(i.email collate "C") from invite.invitations as i where i.id = any (v_people));
begin
  return v_people || array(
    select max(i.id)
    from unnest(console.search_values(search_recipients.workspace_id, search_recipients.search, 4 * search_recipients.max_rows)) as f (id)
    join invite.invitations as i on i.id = f.id
    where coalesce(lower(i.email collate "C") <> all (v_emails), true)
    group by coalesce(lower(i.email collate "C"), i.id::text)
    order by max(i.id) desc
    limit search_recipients.max_rows - cardinality(v_people));
end
$$;
comment on function console.search_recipients(text, text, integer) is
  'The ids of a workspace''s invitations that a text finds by address, name or a metadata value, each address once; bounded.';
