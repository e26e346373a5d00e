/*
 * Looks for the recipient's language, then for the request's. For each it takes the nearest translation by lookup (RFC 4647, section 3.4),
 * else a translation into the same language, preferably in the same script. Example: for de-AT it takes de-AT, else de, else de-CH. The
 * original (own_language, the survey's) takes part, and needs no translation.
 *
 * The rules are those of nearestTag in src/languages: Norwegian (no, nn) counts as Bokmål (nb), and Chinese of Taiwan, Hong Kong and Macau
 * is in traditional characters.
 */
create or replace function invite.nearest_translation(translations jsonb, language text, request_language text, own_language text)
returns jsonb
language sql immutable parallel safe
as $$
  select jsonb_build_object('language', t.tag) || t.texts
  from unnest(array[nearest_translation.language, nearest_translation.request_language]) with ordinality as l (tag, place)
  cross join lateral (
    select e.key as tag, e.value as texts from jsonb_each(nearest_translation.translations) as e
    union all
    select nearest_translation.own_language, null
  ) as t
  cross join lateral (
    select
      regexp_replace(lower(l.tag), '^zh-(?=(tw|hk|mo)(-|$))', 'zh-hant-') as wanted,
      regexp_replace(lower(t.tag), '^zh-(?=(tw|hk|mo)(-|$))', 'zh-hant-') as offered
  ) as c
  cross join lateral (
    select
      starts_with(c.wanted || '-', c.offered || '-') as is_prefix,
      substring(c.wanted from '^[a-z]{2,3}-([a-z]{4})(?:-|$)')
        is not distinct from substring(c.offered from '^[a-z]{2,3}-([a-z]{4})(?:-|$)') as is_same_script
  ) as p
  where case split_part(lower(l.tag), '-', 1) when 'no' then 'nb' when 'nn' then 'nb' else split_part(lower(l.tag), '-', 1) end
    = case split_part(lower(t.tag), '-', 1) when 'no' then 'nb' when 'nn' then 'nb' else split_part(lower(t.tag), '-', 1) end
  order by
    l.place, p.is_prefix desc, case when p.is_prefix then -length(c.offered) end, p.is_same_script desc, t.texts is null desc,
    length(t.tag), t.tag
  limit 1
$$;
comment on function invite.nearest_translation(jsonb, text, text, text) is
  'The texts of the translation that fits one of these languages best, with its language; null if none fits, or if the original fits better.';
