create or replace function invite.merge_texts(texts jsonb, changes jsonb) returns jsonb
language sql immutable parallel safe
as $$
  select case when coalesce(jsonb_typeof(merge_texts.changes), 'null') = 'null' then merge_texts.texts else (
    select jsonb_object_agg(e.key, e.value)
    from jsonb_each(coalesce(merge_texts.texts, '{}') || merge_texts.changes) as e
    where e.value not in ('""', 'null')
  ) end
$$;
comment on function invite.merge_texts(jsonb, jsonb) is
  'An object of texts with the changed texts replaced and the empty ones removed; null if none is left.';
