create or replace function invite.reading_token(secret_hash bytea) returns uuid
language sql stable
as $$
  select t.id
  from invite.trigger_tokens as t
  where t.secret_hash = reading_token.secret_hash and t.deleted_at is null and t.allow_reading
$$;
comment on function invite.reading_token(bytea) is 'The token with this secret, if it may read over HTTP.';
