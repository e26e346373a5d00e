/*
 * What is wrong with the questions of a survey, as a sentence that names the question; null if nothing is. The questions are
 * [{id, type, label, required?}], of type score with min?, max?, min_label?, max_label?, choice with choices, or text.
 * Called by: the trigger _400_questions of surveys.
 */
create or replace function invite.question_fault(questions jsonb) returns text
language plpgsql immutable parallel safe
as $$
declare
  v_question jsonb;
  v_position bigint;
  v_fault text;
begin
  if jsonb_typeof(questions) is distinct from 'array' then
    return 'The questions are a list.';
  elsif jsonb_array_length(questions) > 100 or octet_length(questions::text) > 65536 then
    return 'There are at most 100 questions, of at most 65536 bytes together.';
  end if;
  for v_question, v_position in select q.value, q.ordinality from jsonb_array_elements(questions) with ordinality as q loop
    v_fault := case
      when jsonb_typeof(v_question) <> 'object' then 'is no object'
      when coalesce(v_question ->> 'id' !~ '^[A-Za-z0-9._:-]{1,64}$' or jsonb_typeof(v_question -> 'id') <> 'string', true) then
        'has no id of 1 to 64 of A-Z a-z 0-9 . _ : -'
      when exists (
        select from jsonb_array_elements(questions) with ordinality as q
        where q.value -> 'id' = v_question -> 'id' and q.ordinality < v_position
      ) then 'has the id of another one'
      else invite.question_form_fault(v_question)
    end;
    if v_fault is not null then
      return format('Question %s%s %s.', v_position, ' (' || left(v_question ->> 'id', 64) || ')', v_fault);
    end if;
  end loop;
  return null;
end
$$;
comment on function invite.question_fault(jsonb) is 'What is wrong with the questions of a survey, in words; null if nothing is.';
