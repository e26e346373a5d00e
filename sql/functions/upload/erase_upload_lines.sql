/*
 * Also lines whose address isn't known as one, because a column has another meaning. A workspace has some 200,000 lines at most.
 */
create or replace function invite.erase_upload_lines(workspace_id text, email text) returns integer
language plpgsql volatile
as $$
declare
  v_deleted integer;
begin
  delete from invite.upload_lines as l
  using invite.uploads as u
  where u.workspace_id = erase_upload_lines.workspace_id and l.upload_id = u.id
    and (
      l.email = lower(erase_upload_lines.email collate "C")
      or exists (
        select from unnest(l.cells) as c (cell)
        where lower(btrim(c.cell) collate "C") = lower(erase_upload_lines.email collate "C")
          or lower(c.cell collate "C") like '%<' || replace(replace(replace(lower(erase_upload_lines.email collate "C"), '\', '\\'), '_', '\_'), '%', '\%') || '>%'));
  get diagnostics v_deleted = row_count;
  return v_deleted;
end
$$;
comment on function invite.erase_upload_lines(text, text) is 'Deletes the lines of uploads with an address. Returns how many.';
