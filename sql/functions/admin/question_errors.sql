/*
 * question: the number of the question, from 1. id and field are cut to 64 characters. Fields that don't apply are left out. The comment of
 * surveys.questions describes the form of questions.
 */
create or replace function invite.question_errors(questions jsonb) returns setof jsonb
language plpgsql immutable parallel safe
as $$
declare
  v_question jsonb;
  v_number bigint;
  v_code invite.question_error_code;
begin
  if jsonb_typeof(questions) is distinct from 'array' then
    return next jsonb_build_object('code', 'not_a_list');
    return;
  elsif jsonb_array_length(questions) > 100 or octet_length(invite.without_choice_ids(questions)::text) > 65536 then
    return next jsonb_build_object('code', 'too_large');
    return;
  end if;
  for v_question, v_number in select q.value, q.ordinality from jsonb_array_elements(questions) with ordinality as q loop
    v_code := case
      when jsonb_typeof(v_question) <> 'object' then 'not_an_object'
      when coalesce(v_question ->> 'id' !~ '^[A-Za-z0-9._:-]{1,64}$' or jsonb_typeof(v_question -> 'id') <> 'string', true)
        then 'invalid_id'
      when exists (
        select from jsonb_array_elements(questions) with ordinality as q
        where q.value -> 'id' = v_question -> 'id' and q.ordinality < v_number
      ) then 'repeated_id'
      else coalesce(
        invite.question_error(v_question),
        case when v_question ? 'ask_if' and not invite.is_follow_up(v_question -> 'ask_if', questions, v_number) then 'invalid_ask_if' end::invite.question_error_code)
    end;
    if v_code is not null then
      return next jsonb_strip_nulls(jsonb_build_object(
        'code', v_code, 'question', v_number, 'id', left(v_question ->> 'id', 64),
        'field', case when v_code = 'unknown_field' then left(invite.unknown_question_field(v_question), 64) end));
    end if;
  end loop;
end
$$;
comment on function invite.question_errors(jsonb) is
  'What is wrong with each question of a survey, as {code, question, id, field}; no row if nothing is.';
