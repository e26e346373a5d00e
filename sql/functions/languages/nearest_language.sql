/*
 * For each wanted tag in turn, the first of its ranges that fits an offered tag counts. A range fits what begins with it, so that any Chinese is
 * better than none, but exactly that range is preferred. The rules are those of nearestTag in src/languages/tags.ts.
 */
create or replace function invite.nearest_language(wanted text[], offered text[], own_language text) returns text
language sql stable parallel safe
as $$
  with offers as materialized (
    select t.tag, invite.language_form(t.tag) as form from unnest(nearest_language.own_language || nearest_language.offered) as t (tag)
  )
  select o.tag
  from unnest(nearest_language.wanted) with ordinality as w (tag, place)
  cross join lateral unnest(invite.language_ranges(w.tag)) with ordinality as r (range, place)
  join offers as o on starts_with(o.form || '-', r.range || '-')
  order by
    w.place, r.place, o.form = r.range desc, case when starts_with(lower(w.tag) || '-', lower(o.tag) || '-') then -length(o.tag) else 0 end,
    o.tag = nearest_language.own_language desc, length(o.tag), o.tag
  limit 1
$$;
comment on function invite.nearest_language(text[], text[], text) is
  'The offered language that readers of the wanted ones read best; own_language is also offered. Null: none fits.';
