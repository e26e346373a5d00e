/*
 * A misspelled field would otherwise be ignored silently.
 */
create or replace function invite.unknown_question_field(question jsonb) returns text
language sql immutable parallel safe
as $$
  select k
  from jsonb_object_keys(question) as k
  where k <> all (array['id', 'type', 'label', 'required'] || case question ->> 'type'
    when 'score' then array['min', 'max', 'min_label', 'max_label', 'low_thanks', 'middle_thanks', 'high_thanks', 'nps', 'stars']
    when 'choice' then array['choices', 'choice_ids', 'several']
    else array['ask_if']
  end)
  limit 1
$$;
comment on function invite.unknown_question_field(jsonb) is 'A field that no question of this type has; null if there is none.';
