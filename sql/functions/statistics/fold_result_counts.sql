/*
 * A step takes at most max_rows changes, and a full step queues the next. A job calls it every minute. Locks: as begin_step, then the
 * changes. Pins: lookup plan.
 */
create or replace function invite.fold_result_counts(max_rows integer default 20000) returns integer
language plpgsql volatile
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
declare
  v_read_from bigint;
  v_reached bigint;
  v_ids bigint[];
  v_empty invite.result_counts[];
begin
  if not exists (select from invite.result_changes as c where c.id >= (select p.read_from from invite.queue_progress as p where p.queue = 'result_changes')) then
    return 0;
  end if;
  select s.* into v_read_from, v_reached from invite.begin_step('result_changes') as s;
  if v_read_from is null then
    return 0;
  end if;
  v_ids := array(
    select c.id from invite.result_changes as c where c.id >= v_read_from order by c.id limit fold_result_counts.max_rows);

  with moved as (
    delete from invite.result_changes as c where c.id = any (v_ids) returning c.*
  ),
  folded as (
    insert into invite.result_counts as c (survey_id, whole_day, starts_at, question, value, number)
    select m.survey_id, s.whole_day, s.starts_at, m.question, m.value, sum(m.number)
    from moved as m
    cross join lateral (
      values (false, m.starts_at), (true, date_bin('1 day', m.starts_at, '2000-01-01 00:00Z')), (true, '-infinity')
    ) as s (whole_day, starts_at)
    group by 1, 2, 3, 4, 5
    having sum(m.number) <> 0
    on conflict on constraint result_counts_pkey do update set number = c.number + excluded.number
    returning c.*
  )
  select array_agg(f::invite.result_counts) into v_empty from folded as f where f.number = 0;

  delete from invite.result_counts as c
  using unnest(v_empty) as e
  where c.survey_id = e.survey_id and c.whole_day = e.whole_day and c.starts_at = e.starts_at and c.question = e.question and c.value = e.value;
  perform invite.end_step('result_changes', v_reached, v_ids[fold_result_counts.max_rows]);
  if cardinality(v_ids) >= fold_result_counts.max_rows then
    perform graphile_worker.add_job('fold_result_counts');
  end if;
  return cardinality(v_ids);
end
$$;
comment on function invite.fold_result_counts(integer) is
  'One bounded step of adding result_changes to result_counts; queues the next step itself. Returns how many changes it added.';
