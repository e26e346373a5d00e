/*
 * A million groups take seconds, and say nothing: each has one response. More than half of max_rows must differ, so a smaller survey has each value.
 * What isn't twice among the newest 10,000 is no large part of all. Pins: lookup plan, index order.
 */
create function console.frequent_values(survey_id text, key text, max_rows integer default 10000) returns text[]
language plpgsql stable
set enable_seqscan = off set enable_bitmapscan = off set jit = off
as $$
begin
  return (
    with newest as materialized (
      select r.metadata ->> frequent_values.key as value
      from invite.responses as r
      where r.survey_id = frequent_values.survey_id
      order by r.submitted_at desc, r.id desc
      limit frequent_values.max_rows
    )
    select case when count(*) > frequent_values.max_rows / 2 then coalesce(array_agg(k.value) filter (where k.number > 1), '{}') end
    from (select n.value, count(*) as number from newest as n where n.value is not null group by n.value) as k);
end
$$;
comment on function console.frequent_values(text, text, integer) is
  'Of a metadata key in which nearly all responses of a large survey differ, the values that several have. Null: it is no such key, so each value is counted.';
