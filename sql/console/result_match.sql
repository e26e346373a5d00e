create function console.result_match(survey_id text, filter console.result_filter) returns text
language sql stable
as $$
  select format(
    'r.survey_id || '''' = %L and r.metadata is not null and %s and %s',
    result_match.survey_id, console.metadata_condition(result_match.survey_id, result_match.filter), console.result_condition(result_match.survey_id, result_match.filter))
$$;
comment on function console.result_match(text, console.result_filter) is
  'An SQL condition for a survey''s responses with some metadata, which the index of metadata serves.';
