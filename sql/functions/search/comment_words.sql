/*
 * What is neither a letter nor a digit of ASCII, nor beyond ASCII, becomes a space. Nobody searches for what stands after 10,000 characters.
 */
create or replace function invite.comment_words(text text) returns text
language sql immutable parallel safe
as $$
  select ' ' || btrim(regexp_replace(invite.folded(left(comment_words.text, 10000)), '[^a-z0-9\u0080-\u2009\u2070-\u2fff\u3003-\ufeff\U00010000-\U0010ffff]+', ' ', 'g'))
$$;
comment on function invite.comment_words(text) is 'A text as searches for comments read it: its words, folded, each after a space.';
