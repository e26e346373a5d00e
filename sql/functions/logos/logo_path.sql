create or replace function invite.logo_path(home text, name text) returns text
language sql immutable parallel safe
as $$ select '/logo/' || logo_path.home || logo_path.name $$;
comment on function invite.logo_path(text, text) is
  'Where the service shows a logo: it names the workspace only by the home that all its links begin with.';
