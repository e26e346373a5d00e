create function console.result_rows(survey_id text, filter console.result_filter) returns text
language sql stable
as $$
  select case
    when console.metadata_condition(result_rows.survey_id, result_rows.filter) is null
      then format('r.survey_id = %L and %s', result_rows.survey_id, console.result_condition(result_rows.survey_id, result_rows.filter))
    else console.result_match(result_rows.survey_id, result_rows.filter)
  end
$$;
comment on function console.result_rows(text, console.result_filter) is
  'An SQL condition for the responses of a survey that a filter selects: by the index of submitted_at, or with metadata by the index of those.';
