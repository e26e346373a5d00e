/*
 * dimension: metadata (with a key), answer (with a question's id), language, token. The alias r has the columns metadata, language and trigger_token_id:
 * it is a response, or an invitation with those that a response of it would get, and no answers. The key is a quoted constant and not a parameter,
 * because this is computed for each of a million rows.
 */
create function console.dimension_value(dimension text, key text) returns text
language sql immutable
as $$
  select case dimension_value.dimension
    when 'language' then 'r.language'
    when 'token' then 'r.trigger_token_id::text'
    when 'answer' then format('r.answers ->> %L', dimension_value.key)
    else format('r.metadata ->> %L', dimension_value.key)
  end
$$;
comment on function console.dimension_value(text, text) is
  'What Results are filtered and broken down by, as an SQL expression on the alias r: a value of the metadata, an answer, the language or the trigger token.';
