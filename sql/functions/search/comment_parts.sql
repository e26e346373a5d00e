create or replace function invite.comment_parts(words text[]) returns text[]
language sql immutable parallel safe
as $$
  select array(
    select left(w.word, g.length)
    from unnest(comment_parts.words) as w (word)
    cross join (values (3), (5)) as g (length)
    where length(w.word) >= g.length and not invite.has_no_spaces(w.word)
    union
    select substr(w.word, g.at, 2)
    from unnest(comment_parts.words) as w (word)
    cross join lateral generate_series(1, length(w.word) - 1) as g (at)
    where invite.has_no_spaces(w.word))
$$;
comment on function invite.comment_parts(text[]) is 'Which keys of a comment (comment_keys) have all words that are searched for. None: the words are too short.';
