/*
 * A choice must come back from a browser as it was given: one line, without spaces at its ends.
 */
create or replace function invite.question_error(question jsonb) returns invite.question_error_code
language plpgsql immutable parallel safe
as $$
declare
  v_type constant text := question ->> 'type';
  v_min constant jsonb := coalesce(question -> 'min', '0');
  v_max constant jsonb := coalesce(question -> 'max', '10');
begin
  return case
    when coalesce(v_type not in ('score', 'choice', 'text'), true) then 'unknown_type'
    when invite.unknown_question_field(question) is not null then 'unknown_field'
    when not invite.is_single_line(question -> 'label', 1000) then 'invalid_label'
    when jsonb_typeof(coalesce(question -> 'required', 'false')) <> 'boolean' then 'invalid_required'
    when v_type = 'score' then case
      when jsonb_typeof(v_min) <> 'number' or jsonb_typeof(v_max) <> 'number' then 'invalid_range'
      when v_min::numeric % 1 <> 0 or v_max::numeric % 1 <> 0 or least(v_min::numeric, -v_max::numeric) < -100 then 'invalid_range'
      when v_max::numeric - v_min::numeric not between 1 and 20 then 'invalid_range_size'
      when question ? 'min_label' and not invite.is_single_line(question -> 'min_label', 100)
        or question ? 'max_label' and not invite.is_single_line(question -> 'max_label', 100) then 'invalid_end_label'
      when exists (
        select from unnest(array['low_thanks', 'middle_thanks', 'high_thanks']) as f (name)
        where question ? f.name and not invite.is_multi_line(question -> f.name, 2000)) then 'invalid_thanks'
      when jsonb_typeof(coalesce(question -> 'nps', 'false')) <> 'boolean'
        or question -> 'nps' = 'true' and (v_min, v_max) is distinct from ('0'::jsonb, '10'::jsonb) then 'invalid_nps'
      when jsonb_typeof(coalesce(question -> 'stars', 'false')) <> 'boolean'
        or question -> 'stars' = 'true' and (v_min <> '1' or v_max::numeric not between 3 and 10) then 'invalid_stars'
    end
    when v_type = 'choice' then case
      when coalesce(jsonb_typeof(question -> 'choices') <> 'array', true)
        or jsonb_array_length(question -> 'choices') not between 1 and 50 then 'invalid_choices'
      when exists (select from jsonb_array_elements(question -> 'choices') as c where not invite.is_single_line(c.value, 255))
        then 'invalid_choice'
      when jsonb_typeof(coalesce(question -> 'several', 'false')) <> 'boolean' then 'invalid_several'
      when (select count(distinct c.value) < count(*) from jsonb_array_elements(question -> 'choices') as c) then 'repeated_choice'
    end
  end;
end
$$;
comment on function invite.question_error(jsonb) is 'What is wrong with one question of a survey; null if nothing is.';
