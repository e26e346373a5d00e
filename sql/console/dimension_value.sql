/*
 * dimension: metadata (with a key), language, token. The alias r has the columns metadata, language and trigger_token_id: it is a response, or an
 * invitation with those that a response of it would get. The key is a quoted constant and not a parameter, because this is computed for each
 * of a million rows.
 */
create function console.dimension_value(dimension text, key text) returns text
language sql immutable
as $$
  select case dimension_value.dimension when 'language' then 'r.language' when 'token' then 'r.trigger_token_id::text' else format('r.metadata ->> %L', dimension_value.key) end
$$;
comment on function console.dimension_value(text, text) is
  'What Results are filtered and broken down by, as an SQL expression on the alias r: a value of the metadata, the language or the trigger token.';
