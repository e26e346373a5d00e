/*
 * At most 20 values. Left out are true and false, which occur in too many rows, and long texts, which nobody types.
 */
create or replace function invite.terms_of(workspace_id text, metadata jsonb) returns bigint[]
language sql immutable parallel safe
as $$
  select array_agg(distinct invite.term(terms_of.workspace_id, t.text))
  from (
    select lower(m.value #>> '{}') as text
    from jsonb_each(terms_of.metadata) as m
    where jsonb_typeof(m.value) in ('string', 'number') and length(m.value #>> '{}') between 1 and 100
    limit 20
  ) as t
$$;
comment on function invite.terms_of(text, jsonb) is 'The terms in search_terms that find an invitation: each value of the metadata, in lower case.';
