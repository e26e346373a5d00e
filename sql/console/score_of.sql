create function console.score_of(question jsonb, given text) returns integer
language sql immutable
as $$
  select case
    when given ~ '^-?\d{1,4}$' and given::integer between coalesce((question ->> 'min')::integer, 0) and coalesce((question ->> 'max')::integer, 10)
      then given::integer
  end
$$;
comment on function console.score_of(jsonb, text) is 'The score that an answer to a question is. Null: it isn''t one, or not within the scale.';
