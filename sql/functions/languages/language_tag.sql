create or replace function invite.language_tag(given text) returns text
language sql immutable parallel safe
as $$
  select case when invite.is_language_tag(t.tag) then t.tag end from (select replace(btrim(language_tag.given), '_', '-') as tag) as t
$$;
comment on function invite.language_tag(text) is 'A language tag (BCP 47) as it is stored; null for anything else.';
