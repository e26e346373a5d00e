-- PostgreSQL computes these for each of a million rows. So if no part is told apart, the value isn't compared.
create function console.part_columns(dimension text, key text, among text[]) returns text
language sql immutable
as $$
  select format(
    case
      when part_columns.dimension is null then 'null::text as part, false as is_other'
      when part_columns.among is null then '%1$s as part, false as is_other'
      when part_columns.among = '{}' then 'null::text as part, %1$s is not null as is_other'
      else 'case when %1$s = any (%2$L::text[]) then %1$s end as part, coalesce(%1$s <> all (%2$L::text[]), false) as is_other'
    end,
    console.dimension_value(part_columns.dimension, part_columns.key), part_columns.among)
$$;
comment on function console.part_columns(text, text, text[]) is
  'The part of a row (dimension_value) among those that are told apart, and whether it has another, as SQL expressions on the alias r. among: null, all.';
