create or replace function invite.is_language_tag(tag text) returns boolean
language sql immutable parallel safe
as $$
  select length(tag) <= 35 and tag ~*
    '^([a-z]{2,3}|[a-z]{5,8})(-[a-z]{4})?(-([a-z]{2}|[0-9]{3}))?(-([a-z0-9]{5,8}|[0-9][a-z0-9]{3}))*(-[0-9a-wyz](-[a-z0-9]{2,8})+)*(-x(-[a-z0-9]{1,8})+)?$'
$$;
comment on function invite.is_language_tag(text) is 'Whether a text has the form of a language tag (BCP 47, as Unicode narrows it).';
