create or replace function invite.person_name(name text) returns text
language sql immutable parallel safe
as $$
  select nullif(btrim(regexp_replace(invite.folded(person_name.name), '\s+', ' ', 'g')), '')
$$;
comment on function invite.person_name(text) is 'A recipient''s name as persons has it.';
