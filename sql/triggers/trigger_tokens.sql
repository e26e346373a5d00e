create or replace function invite.tg_trigger_tokens__sender() returns trigger
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform invite.require_sender(new.sender, 'trigger_tokens');
  return new;
end
$$;
comment on function invite.tg_trigger_tokens__sender() is 'Rejects a sender that no email can have.';

create or replace trigger _400_sender
  before insert or update of sender on invite.trigger_tokens
  for each row
  when (new.sender is not null)
  execute function invite.tg_trigger_tokens__sender();
comment on trigger _400_sender on invite.trigger_tokens is 'Checks the form of the sender.';
