/*
 * outcomes: null: all. after_number: the last line of the page before. Pins: index order.
 */
create function console.upload_lines(
  session_hash bytea, survey_id text, upload_id uuid, outcomes text[] default null, after_number integer default 0, max_rows integer default 50
) returns setof invite.upload_lines
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set jit = off
as $$
begin
  perform console.require_upload_editor(upload_lines.session_hash, upload_lines.survey_id, upload_lines.upload_id);
  return query
  select l.*
  from invite.upload_lines as l
  where l.upload_id = upload_lines.upload_id and l.number > upload_lines.after_number
    and (upload_lines.outcomes is null or l.outcome::text = any (upload_lines.outcomes))
  order by l.number
  limit upload_lines.max_rows;
end
$$;
comment on function console.upload_lines(bytea, text, uuid, text[], integer, integer) is
  'Lines of an upload that aren''t invited, yet or at all, for editors.';
