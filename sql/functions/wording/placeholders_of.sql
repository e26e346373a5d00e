create or replace function invite.placeholders_of(given text) returns text[]
language sql immutable parallel safe
as $$
  select array(
    select distinct m.parts[1] collate "C" from regexp_matches(placeholders_of.given, '\{{1,2}\w+\}{1,2}', 'g') as m (parts) order by 1
  )
$$;
comment on function invite.placeholders_of(text) is 'The placeholders of a text, such as {workspace} and {{survey_link}}, each once, in order.';
