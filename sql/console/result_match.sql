create function console.result_match(survey_id text, filter console.result_filter) returns text
language sql stable
as $$
  select format(
    'r.survey_id || '''' = %L and r.metadata is not null and invite.metadata_terms(r.survey_id, r.metadata) @> %L::bigint[] and %s',
    result_match.survey_id,
    (select array_agg(invite.metadata_term(result_match.survey_id, m.pair ->> 0, m.pair ->> 1)) from jsonb_array_elements((filter).metadata) as m (pair)),
    console.result_condition(filter))
$$;
comment on function console.result_match(text, console.result_filter) is
  'An SQL condition for a survey''s responses with some metadata, which the index of metadata serves.';
