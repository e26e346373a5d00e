-- The tab Results: responses found by their metadata, pages of them, their columns and their summary.

-- Here as well as in sql/functions, because the index needs them, and holds their answers: they must not change without a new index.
create function invite.metadata_term(survey_id text, metadata_key text, metadata_value text default null) returns bigint
language sql immutable parallel safe
as $$
  select hashtextextended(survey_id || ' ' || metadata_key || coalesce('=' || metadata_value, ''), 0)
$$;

create function invite.metadata_terms(survey_id text, metadata jsonb) returns bigint[]
language sql immutable parallel safe cost 1000
as $$
  select array_agg(t.term)
  from jsonb_each_text(metadata) as m
  cross join lateral (
    values (invite.metadata_term(survey_id, m.key)), (invite.metadata_term(survey_id, m.key, m.value))
  ) as t (term)
$$;

create index responses_metadata_idx on invite.responses using gin (invite.metadata_terms(survey_id, metadata))
  where metadata is not null;
comment on index invite.responses_metadata_idx is
  'The responses of a survey that have a key in their metadata, or a key with a value. Hashes, so that neither a long value nor a million different ones make it large.';

create type invite.result as (
  id bigint, submitted_at timestamptz, answers jsonb, attribution text, invitation_id bigint, batch_id uuid, email text, name text, metadata jsonb
);
comment on type invite.result is
  'A response in the Results. attribution: invitation or direct. email, name: of the recipient; null for viewers, and once they are erased.';

create type invite.result_keys as (answer_keys text[], metadata_keys text[], looked integer, last_id bigint);
comment on type invite.result_keys is
  'The columns that some responses need. looked: how many there were; last_id: the last of them, null if there was none.';

create type invite.result_summary as (
  responses bigint, looked integer, first_at timestamptz, last_at timestamptz, days jsonb, answers jsonb,
  invited integer, responded integer, sent_days jsonb, sent_capped boolean
);
comment on type invite.result_summary is
  'A survey''s Results in numbers. responses: all, null under a filter. looked: the newest that days and answers are of. days: [{day, invitation, direct}], UTC. '
  'answers: [{question, value, number}], value null: any other answer. invited: the newest invitations that were sent; responded: those of '
  'them that were answered; sent_days: [{day, invited, responded}]; sent_capped: there are more.';
