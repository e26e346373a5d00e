/*
 * A metadata key of a survey, or a key with a value, as one number: what the index responses_metadata_idx is searched for. Two may have
 * the same number, so whoever searches looks at the row as well. Created by the migration 0019_results, where the index needs it.
 */
create or replace function invite.metadata_term(survey_id text, metadata_key text, metadata_value text default null) returns bigint
language sql immutable parallel safe
as $$
  select hashtextextended(survey_id || ' ' || metadata_key || coalesce('=' || metadata_value, ''), 0)
$$;
comment on function invite.metadata_term(text, text, text) is
  'A metadata key of a survey, or a key with a value, as one number. Must not change without a new index: it is in responses_metadata_idx.';
