create function console.filters_answers(filter console.result_filter) returns boolean
language sql immutable
as $$
  select coalesce((filters_answers.filter).question is not null or (filters_answers.filter).conditions @> '[{"dimension": "answer"}]', false)
$$;
comment on function console.filters_answers(console.result_filter) is
  'Whether a filter asks for answers. Invitations have none, so there is no response rate under it.';
