create or replace function invite.has_informal(language text) returns boolean
language sql stable
as $$
  select exists (
    select from invite.service_words as w where w.language = invite.wording_base(has_informal.language) and w.informal is not null
  )
$$;
comment on function invite.has_informal(text) is 'Whether the service can address readers of a language formally and informally.';
