create or replace function invite.search_words(search text) returns text[]
language sql immutable parallel safe
as $$
  select array(
    select w.word
    from regexp_split_to_table(invite.folded(left(search_words.search, 254)), '\s+') as w (word)
    where w.word <> ''
    limit 8)
$$;
comment on function invite.search_words(text) is 'The words that somebody searches for, folded; at most eight.';
