/*
 * lines: [{"number", "cells": ["…"], "recipient"?: {"email", "name"?, "language"?, "time_zone"?, "metadata"?}}]. The caller has checked the
 * recipient, as for accept_triggers. None: the line is invalid.
 * A line that is there already is replaced: its columns have got another meaning. Then cells may be left out.
 *
 * Locks: the upload (for no key update).
 * Raises: P0002; 23514 uploads_sent, uploads_lines_range; 23… of a column.
 */
create or replace function invite.put_upload_lines(upload_id uuid, lines jsonb) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
declare
  v_added integer;
begin
  perform invite.lock_unsent_upload(put_upload_lines.upload_id);
  with given as materialized (
    select
      l.number, l.recipient, lower((l.recipient ->> 'email') collate "C") as email,
      array(select c.cell from jsonb_array_elements_text(l.cells) with ordinality as c (cell, place) order by c.place) as cells,
      case when l.recipient is null then 'invalid' else 'new' end::invite.line_outcome as outcome
    from jsonb_to_recordset(put_upload_lines.lines) as l (number integer, cells jsonb, recipient jsonb)
  ),
  changed as (
    update invite.upload_lines as l
    set outcome = g.outcome, email = g.email, recipient = g.recipient
    from given as g
    where l.upload_id = put_upload_lines.upload_id and l.number = g.number
    returning l.number
  ),
  added as (
    insert into invite.upload_lines (upload_id, number, outcome, cells, email, recipient)
    select put_upload_lines.upload_id, g.number, g.outcome, g.cells, g.email, g.recipient
    from given as g
    where not exists (select from changed as c where c.number = g.number)
    returning number
  )
  select count(*) into v_added from added;
  update invite.uploads as u set lines = u.lines + v_added where u.id = put_upload_lines.upload_id and v_added > 0;
end
$$;
comment on function invite.put_upload_lines(uuid, jsonb) is 'Stores some lines of an upload that isn''t sent yet.';
