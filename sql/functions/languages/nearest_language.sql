/*
 * For each wanted tag in turn, the first of its ranges that fits an offered tag counts. A range fits what begins with it, so that any Chinese is
 * better than none, but exactly that range is preferred. The rules are those of nearestTag in src/languages/tags.ts. The same tag is found without
 * them, as it is the usual case. In PL/pgSQL, which keeps the plans: claims call it for each language of a survey.
 */
create or replace function invite.nearest_language(wanted text[], offered text[], own_language text) returns text
language plpgsql stable parallel safe
as $$
declare
  v_offers constant text[] := nearest_language.own_language || nearest_language.offered;
  v_forms text[];
  v_wanted text;
  v_range text;
  v_found text;
begin
  foreach v_wanted in array nearest_language.wanted loop
    continue when v_wanted is null;
    select o.tag into v_found from unnest(v_offers) as o (tag) where lower(o.tag collate "C") = lower(v_wanted collate "C") limit 1;
    if found then
      return v_found;
    end if;
    v_forms := coalesce(
      v_forms, array(select invite.language_form(o.tag) from unnest(v_offers) with ordinality as o (tag, place) order by o.place));
    foreach v_range in array invite.language_ranges(v_wanted) loop
      select o.tag into v_found
      from unnest(v_offers, v_forms) as o (tag, form)
      where starts_with(o.form || '-', v_range || '-')
      order by
        o.form = v_range desc, case when starts_with(lower(v_wanted collate "C") || '-', lower(o.tag collate "C") || '-') then -length(o.tag) else 0 end,
        o.tag = nearest_language.own_language desc, length(o.tag), o.tag
      limit 1;
      if found then
        return v_found;
      end if;
    end loop;
  end loop;
  return null;
end
$$;
comment on function invite.nearest_language(text[], text[], text) is
  'The offered language that readers of the wanted ones read best; own_language is also offered. Null: none fits.';
