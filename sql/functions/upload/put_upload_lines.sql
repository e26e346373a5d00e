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
set search_path = pg_catalog, pg_temp
as $$
declare
  v_added integer;
begin
  perform invite.lock_unsent_upload(put_upload_lines.upload_id);
  with put as (
    insert into invite.upload_lines as l (upload_id, number, outcome, cells, email, recipient)
    select
      put_upload_lines.upload_id, g.number, case when g.recipient is null then 'invalid' else 'new' end::invite.line_outcome,
      array(select c.cell from jsonb_array_elements_text(g.cells) with ordinality as c (cell, place) order by c.place),
      lower((g.recipient ->> 'email') collate "C"), g.recipient
    from jsonb_to_recordset(put_upload_lines.lines) as g (number integer, cells jsonb, recipient jsonb)
    on conflict on constraint upload_lines_pkey
    do update set outcome = excluded.outcome, email = excluded.email, recipient = excluded.recipient
    -- Of a row that was there, it is this transaction.
    returning l.xmax = 0 as is_added
  )
  select count(*) filter (where p.is_added) into v_added from put as p;
  update invite.uploads as u set lines = u.lines + v_added where u.id = put_upload_lines.upload_id and v_added > 0;
end
$$;
comment on function invite.put_upload_lines(uuid, jsonb) is 'Stores some lines of an upload that isn''t sent yet.';
