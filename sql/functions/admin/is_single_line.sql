create or replace function invite.is_single_line(given jsonb, max_length integer) returns boolean
language sql immutable parallel safe
as $$
  select coalesce(
    jsonb_typeof(is_single_line.given) = 'string'
    and length(is_single_line.given #>> '{}') between 1 and is_single_line.max_length
    and is_single_line.given #>> '{}' !~ '^\s|\s$|[\u0001-\u001f\u007f-\u009f\u2028\u2029]'
    and is_single_line.given #>> '{}' !~ invite.direction_marks(),
    false)
$$;
comment on function invite.is_single_line(jsonb, integer) is
  'Whether a JSON value is a text of one line, at least 1 and at most this many characters long, without spaces at its '
  'ends or marks that turn its direction.';
