/*
 * A word of one or two letters is looked for where words begin, because too much has it elsewhere. anywhere: whether longer ones are found inside of words
 * too; those of scripts without spaces always are.
 */
create or replace function invite.word_patterns(words text[], anywhere boolean) returns text[]
language sql immutable parallel safe
as $$
  select array(
    select
      case when invite.has_no_spaces(w.word) or (word_patterns.anywhere and length(w.word) >= 3) then '%' else '% ' end
        || regexp_replace(w.word, '([\\%_])', '\\\1', 'g') || '%'
    from unnest(word_patterns.words) as w (word))
$$;
comment on function invite.word_patterns(text[], boolean) is 'Patterns that a text with a space before it fits if it has all these words.';
