/*
 * What a response can be found by in the index responses_metadata_idx: each key of its metadata, and each key with its value as text.
 * Dear, so that the planner looks into the index rather than at each row. Created by the migration 0019_results.
 */
create or replace function invite.metadata_terms(survey_id text, metadata jsonb) returns bigint[]
language sql immutable parallel safe cost 1000
as $$
  select array_agg(t.term)
  from jsonb_each_text(metadata) as m
  cross join lateral (
    values (invite.metadata_term(survey_id, m.key)), (invite.metadata_term(survey_id, m.key, m.value))
  ) as t (term)
$$;
comment on function invite.metadata_terms(text, jsonb) is
  'What a response can be found by: its metadata''s keys, and keys with values. Must not change without a new index: responses_metadata_idx.';
