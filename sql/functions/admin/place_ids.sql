/*
 * For migrate, at each call: a later migration may have added a table. A sequence whose range is right already isn't touched: altering it would
 * wait for those who draw from it.
 *
 * Ids of test invitations begin at 2^52 (is_test), and those of cell 255 end there: all are less than 2^53, and so exact in JSON.
 */
create or replace function invite.place_ids() returns void
language plpgsql volatile
as $$
declare
  v_size constant bigint := 17592186044416;
  v_sequence record;
begin
  for v_sequence in
    select q.seqrelid::regclass as name, greatest(f.first, 1) as first, f.first + v_size - 1 as last
    from pg_sequence as q
    join pg_class as c on c.oid = q.seqrelid
    cross join lateral (
      select invite.cell_number() * v_size + case when c.relname = 'test_invitation_ids' then 4503599627370496 else 0 end as first
    ) as f
    where c.relnamespace = 'invite'::regnamespace
      and (c.relname = 'test_invitation_ids' or exists (select from pg_depend as d where d.objid = c.oid and d.deptype = 'i'))
      and (q.seqmin, q.seqmax) is distinct from (greatest(f.first, 1), f.first + v_size - 1)
    order by c.relname
  loop
    execute format(
      'alter sequence %1$s minvalue %2$s maxvalue %3$s start with %2$s %4$s', v_sequence.name, v_sequence.first, v_sequence.last,
      case when coalesce(pg_sequence_last_value(v_sequence.name), 0) not between v_sequence.first and v_sequence.last then 'restart' end);
  end loop;
end
$$;
comment on function invite.place_ids() is 'Places the ids of all tables into the range of this database.';
