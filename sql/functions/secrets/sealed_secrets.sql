/*
 * What else is stored sealed joins here, and in replace_sealed_secret. A previous secret counts while it signs.
 */
create or replace function invite.sealed_secrets() returns setof invite.sealed_secret
language sql stable security definer
set search_path = pg_catalog, pg_temp
as $$
  select 'webhook', w.id::text, s.secret
  from invite.webhook_endpoints as w
  cross join lateral (
    values (w.secret), (case when w.previous_secret_until > invite.now() then w.previous_secret end)
  ) as s (secret)
  where w.deleted_at is null and s.secret is not null
$$;
comment on function invite.sealed_secrets() is 'All secrets that are stored encrypted and still used, for the command that encrypts them again.';
