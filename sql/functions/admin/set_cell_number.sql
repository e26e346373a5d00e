/*
 * For migrate. A number is chosen once, before there are rows that could move to another database.
 *
 * Each database has 2^44 ids of each table. place_ids gives them to the sequences.
 */
create or replace function invite.set_cell_number(cell_number integer) returns integer
language plpgsql volatile
as $$
begin
  update invite.settings as g set cell_number = set_cell_number.cell_number
  where g.cell_number <> set_cell_number.cell_number and not exists (select from invite.workspaces);
  return invite.cell_number();
end
$$;
comment on function invite.set_cell_number(integer) is 'Numbers the database, as long as it has no workspace. Returns its number.';
