create or replace function invite.new_webhook_secret() returns text
language sql volatile
as $$
  select 'whsec_' || encode(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()), 'base64')
$$;
comment on function invite.new_webhook_secret() is 'A secret of 32 bytes as in Standard Webhooks; 244 bits of it are random.';
