create or replace function invite.person_parts(words text[]) returns text[]
language sql immutable parallel safe
as $$
  select array(
    select distinct substr(p.text, g.at, p.length)
    from unnest(person_parts.words) as w (word)
    cross join lateral (
      select
        case when length(w.word) = 2 and not n.no_spaces then ' ' || w.word else w.word end as text,
        case when n.no_spaces then 2 else 3 end as length
      from (select invite.has_no_spaces(w.word) as no_spaces) as n
    ) as p
    cross join lateral generate_series(1, length(p.text) - p.length + 1) as g (at))
$$;
comment on function invite.person_parts(text[]) is 'Which keys of a person (person_keys) have all words that are searched for. None: the words are too short.';
