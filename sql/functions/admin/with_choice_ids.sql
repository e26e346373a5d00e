/*
 * A choice keeps its id, by which its translations are found again when it is renamed. Its id is the one of the same words before; or the one that is
 * given, if that was one before; or, where as many choices are new as are gone between two that stayed, the one at its place; or the given one; or a new one,
 * made of its words. Answers are by a choice's exact words: callers who don't know of ids lose nothing.
 */
create or replace function invite.with_choice_ids(old_questions jsonb, new_questions jsonb) returns jsonb
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  v_questions jsonb := new_questions;
  v_question jsonb;
  v_number integer;
  v_choices text[];
  v_given text[];
  v_ids text[];
  v_before text[];
  v_before_ids text[];
  v_place integer;
  v_gap integer;
  v_id text;
begin
  if jsonb_typeof(new_questions) is distinct from 'array' then
    return new_questions;
  end if;
  for v_question, v_number in select q.value, q.ordinality - 1 from jsonb_array_elements(new_questions) with ordinality as q loop
    continue when jsonb_typeof(v_question) <> 'object' or jsonb_typeof(v_question -> 'choices') is distinct from 'array'
      or jsonb_array_length(v_question -> 'choices') not between 1 and 50;
    v_choices := array(select c from jsonb_array_elements_text(v_question -> 'choices') with ordinality as c (c, n) order by n);
    v_given := invite.choice_ids(v_question);
    select array(select c from jsonb_array_elements_text(o.value -> 'choices') with ordinality as c (c, n) order by n), invite.choice_ids(o.value)
    into v_before, v_before_ids
    from jsonb_array_elements(case when jsonb_typeof(old_questions) = 'array' then old_questions else '[]' end) as o
    where o.value -> 'id' = v_question -> 'id' and invite.choice_ids(o.value) is not null
    limit 1;

    v_ids := array(select coalesce(v_before_ids[array_position(v_before, c)], '') from unnest(v_choices) with ordinality as c (c, n) order by n);
    for v_place in 1 .. cardinality(v_choices) loop
      if v_ids[v_place] = '' and v_given[v_place] = any (v_before_ids) and v_given[v_place] <> all (v_ids) then
        v_ids[v_place] := v_given[v_place];
      end if;
    end loop;
    -- v_place begins a run of new choices, v_gap one of those that are gone, after the same choice that stayed or at the start.
    for v_place in 1 .. cardinality(v_choices) loop
      continue when v_ids[v_place] <> '' or v_place > 1 and coalesce(v_ids[v_place - 1], '') = '';
      v_gap := case when v_place = 1 then 1 else array_position(v_before_ids, v_ids[v_place - 1]) + 1 end;
      v_ids := coalesce(invite.ids_at_place(v_ids, v_place, v_before_ids, v_gap), v_ids);
    end loop;
    for v_place in 1 .. cardinality(v_choices) loop
      continue when v_ids[v_place] <> '';
      v_id := v_given[v_place];
      while v_id is null or v_id = any (v_ids) or v_id = any (v_before_ids) loop
        v_id := left(md5(coalesce(v_id, '') || v_choices[v_place]), 8);
      end loop;
      v_ids[v_place] := v_id;
    end loop;
    v_questions := jsonb_set(v_questions, array[v_number::text], v_question || jsonb_build_object('choice_ids', v_ids));
  end loop;
  return v_questions;
end
$$;
comment on function invite.with_choice_ids(jsonb, jsonb) is
  'A survey''s questions with an id for each choice, which is the one that the choice had in its questions before.';
