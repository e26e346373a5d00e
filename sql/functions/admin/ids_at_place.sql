/*
 * ids: those of the choices so far, empty for new ones. place: where a run of new ones begins. gap: where in before the run may begin of those that
 * are gone, or are not used yet.
 */
create or replace function invite.ids_at_place(ids text[], place integer, before text[], gap integer) returns text[]
language sql immutable parallel safe
as $$
  select case when r.new = r.gone then ids[:place - 1] || before[gap:gap + r.gone - 1] || ids[place + r.new:] end
  from (
    select
      (select count(*)::integer from generate_subscripts(ids, 1) as n where n >= place
        and not exists (select from generate_series(place, n) as m where ids[m] <> '')) as new,
      (select count(*)::integer from generate_subscripts(before, 1) as n where n >= gap
        and not exists (select from generate_series(gap, n) as m where before[m] = any (ids))) as gone
  ) as r
$$;
comment on function invite.ids_at_place(text[], integer, text[], integer) is
  'The ids with those of a run of choices that are gone at the place of a run of as many new ones; null if there aren''t as many.';
