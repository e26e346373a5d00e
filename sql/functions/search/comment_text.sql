/*
 * Comments are the texts that a response has, other than answers to questions with choices or scores. A survey of the product's own pages
 * may have no questions here.
 */
create or replace function invite.comment_text(questions jsonb, answers jsonb) returns text
language sql immutable parallel safe
as $$
  select string_agg(a.value #>> '{}', e'\n' order by a.key)
  from jsonb_each(comment_text.answers) as a
  where jsonb_typeof(a.value) = 'string' and a.value #>> '{}' <> ''
    and not exists (
      select from jsonb_array_elements(comment_text.questions) as q where q.value ->> 'id' = a.key and q.value ->> 'type' <> 'text')
$$;
comment on function invite.comment_text(jsonb, jsonb) is 'The comments of a response, each in a line. Null: it has none.';
