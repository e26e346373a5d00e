/*
 * Only what must be there has terms. The caller checks each row by result_condition too, so that accidentally equal terms don't matter.
 */
create function console.metadata_condition(survey_id text, filter console.result_filter) returns text
language sql stable
as $$
  select string_agg(
    format(
      'invite.metadata_terms(r.survey_id, r.metadata) && %L::bigint[]',
      case
        when c ? 'values' then array(select invite.metadata_term(metadata_condition.survey_id, c ->> 'key', v) from jsonb_array_elements_text(c -> 'values') as v)
        else array[invite.metadata_term(metadata_condition.survey_id, c ->> 'key')]
      end),
    ' and ')
  from jsonb_array_elements((filter).conditions) as c
  where c ->> 'dimension' = 'metadata' and not coalesce((c ->> 'excludes')::boolean, false)
$$;
comment on function console.metadata_condition(text, console.result_filter) is
  'What the index of metadata finds for a filter, as an SQL condition on the table alias r. Null: the filter needs no metadata.';
