create or replace function invite.is_multi_line(given jsonb, max_length integer) returns boolean
language sql immutable parallel safe
as $$
  select coalesce(
    jsonb_typeof(is_multi_line.given) = 'string'
    and length(is_multi_line.given #>> '{}') between 1 and is_multi_line.max_length
    and is_multi_line.given #>> '{}' !~ invite.direction_marks(),
    false)
$$;
comment on function invite.is_multi_line(jsonb, integer) is
  'Whether a JSON value is a text of any lines, at least 1 and at most this many characters long, without marks that turn its direction.';
