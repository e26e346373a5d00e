/*
 * Newest first, by four weeks at a time (comment_scope), until the page is full. Pins: offset 0 fence, opaque column.
 */
create function console.search_comments(workspace_id text, search text, max_rows integer) returns bigint[]
language plpgsql stable
set enable_seqscan = off set enable_indexonlyscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
declare
  v_workspace constant text := search_comments.workspace_id;
  v_words constant text[] := invite.search_words(invite.comment_words(left(search_comments.search, 254)));
  v_parts constant text[] := invite.comment_parts(v_words);
  v_patterns constant text[] := invite.word_patterns(v_words, false);
  v_scope text;
  v_until timestamptz := 'infinity';
  v_ids bigint[] := '{}';
begin
  while v_parts <> '{}' and cardinality(v_ids) < search_comments.max_rows loop
    v_until := (
      select c.submitted_at from invite.comments as c where c.workspace_id = v_workspace and c.submitted_at < v_until
      order by c.workspace_id desc, c.submitted_at desc limit 1);
    exit when v_until is null;
    v_scope := invite.comment_scope(v_workspace, v_until);
    v_ids := v_ids || array(
      select c.response_id
      from invite.comments as c
      where invite.comment_keys(c.workspace_id, c.submitted_at, c.words) @> invite.search_keys(v_scope, v_parts)
        and c.workspace_id || '' = v_workspace and invite.comment_scope(c.workspace_id, c.submitted_at) = v_scope
        and c.words like all (v_patterns)
      order by c.submitted_at desc, c.response_id desc
      limit search_comments.max_rows - cardinality(v_ids));
    -- The first moment of these four weeks.
    v_until := to_timestamp(floor(extract(epoch from v_until) / 2419200) * 2419200);
  end loop;
  return v_ids;
end
$$;
comment on function console.search_comments(text, text, integer) is 'The newest responses of a workspace whose comments have words that begin as those of a text.';
