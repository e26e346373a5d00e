create or replace function invite.is_language_tag(tag text) returns boolean
language sql immutable parallel safe
as $$
  select tag ~ '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$' and length(tag) <= 35
$$;
comment on function invite.is_language_tag(text) is 'Whether a text has the form of a language tag (BCP 47).';
