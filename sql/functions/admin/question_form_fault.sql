/*
 * What is wrong with one question, an object with an id, as the end of a sentence; null if nothing is. A key that no question of its type
 * has is a fault: a misspelt one would be left out in silence. A choice must come back from a browser as it was given: one line,
 * without blanks around it.
 * Called by: question_fault.
 */
create or replace function invite.question_form_fault(question jsonb) returns text
language plpgsql immutable parallel safe
as $$
declare
  v_keys constant text[] := array['id', 'type', 'label', 'required'] || case question ->> 'type'
    when 'score' then array['min', 'max', 'min_label', 'max_label']
    when 'choice' then array['choices']
  end;
  v_unknown text;
  v_min jsonb := coalesce(question -> 'min', '0');
  v_max jsonb := coalesce(question -> 'max', '10');
begin
  if coalesce(question ->> 'type' not in ('score', 'choice', 'text'), true) then
    return 'has a type other than score, choice and text';
  end if;
  select left(k, 64) into v_unknown from jsonb_object_keys(question) as k where k <> all (v_keys) limit 1;
  if v_unknown is not null then
    return format('is a %s, which has no %I', question ->> 'type', v_unknown);
  elsif not invite.is_single_line(question -> 'label', 1000) then
    return 'has no label of one line of 1 to 1000 characters';
  elsif jsonb_typeof(coalesce(question -> 'required', 'false')) <> 'boolean' then
    return 'has a required that is neither true nor false';
  elsif question ->> 'type' = 'score' then
    return case
      when jsonb_typeof(v_min) <> 'number' or jsonb_typeof(v_max) <> 'number' then 'has a min or max that is no number'
      when v_min::numeric % 1 <> 0 or v_max::numeric % 1 <> 0 or least(v_min::numeric, -v_max::numeric) < -100
        then 'has a min or max that is no whole number from -100 to 100'
      when v_max::numeric - v_min::numeric not between 1 and 20 then 'has a max that is not 1 to 20 above its min'
      when question ? 'min_label' and not invite.is_single_line(question -> 'min_label', 100)
        or question ? 'max_label' and not invite.is_single_line(question -> 'max_label', 100)
        then 'has a min_label or max_label that is not one line of 1 to 100 characters'
    end;
  elsif question ->> 'type' = 'choice' then
    return case
      when coalesce(jsonb_typeof(question -> 'choices') <> 'array', true)
        or jsonb_array_length(question -> 'choices') not between 1 and 50 then 'has no list of 1 to 50 choices'
      when exists (select from jsonb_array_elements(question -> 'choices') as c where not invite.is_single_line(c.value, 255))
        then 'has a choice that is not one line of 1 to 255 characters without blanks around it'
      when (select count(distinct c.value) < count(*) from jsonb_array_elements(question -> 'choices') as c)
        then 'has the same choice twice'
    end;
  end if;
  return null;
end
$$;
comment on function invite.question_form_fault(jsonb) is 'What is wrong with one question of a survey; null if nothing is.';
