/*
 * Changes nothing if the secret has been replaced meanwhile.
 */
create or replace function invite.replace_sealed_secret(kind text, id text, secret text, new_secret text) returns boolean
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  case replace_sealed_secret.kind
    when 'webhook' then
      update invite.webhook_endpoints as w
      set
        secret = case w.secret when replace_sealed_secret.secret then replace_sealed_secret.new_secret else w.secret end,
        previous_secret = case w.previous_secret when replace_sealed_secret.secret then replace_sealed_secret.new_secret else w.previous_secret end
      where w.id = replace_sealed_secret.id::uuid and replace_sealed_secret.secret in (w.secret, w.previous_secret);
  end case;
  return found;
end
$$;
comment on function invite.replace_sealed_secret(text, text, text, text) is
  'Stores a secret that the service has encrypted again, with another key. Returns whether it was still the stored one.';
