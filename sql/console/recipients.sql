/*
 * A search finds each address once: by its first characters, the words of the name, or a value of the metadata. It has one page. Otherwise,
 * and for a batch, the newest come first, and before_id is the last id of the previous page.
 */
create function console.recipients(
  session_hash bytea, workspace_id text, search text default null, batch_id uuid default null, before_id bigint default null,
  max_rows integer default 50
) returns setof console.recipient
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_ids bigint[];
begin
  perform console.require_role(recipients.session_hash, recipients.workspace_id, 'editor');
  if recipients.search is not null then
    v_ids := console.search_recipients(recipients.workspace_id, recipients.search, recipients.max_rows);
  else
    v_ids := console.newest_recipients(
      recipients.workspace_id, recipients.batch_id, recipients.before_id, recipients.max_rows);
  end if;
  return query
    select l.* from console.recipient_lines(v_ids) as l order by array_position(v_ids, l.id);
end
$$;
comment on function console.recipients(bytea, text, text, uuid, bigint, integer) is
  'Recipients of a workspace, newest first; those of a batch, or found by address, name or metadata.';
