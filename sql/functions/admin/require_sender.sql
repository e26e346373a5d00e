create or replace function invite.require_sender(sender jsonb, of_table text) returns void
language plpgsql immutable
as $$
declare
  v_rule constant text := 'sender_' || invite.sender_error(require_sender.sender);
begin
  if v_rule is not null then
    raise exception 'the sender is invalid (%)', v_rule
      using errcode = '23514', constraint = v_rule, table = require_sender.of_table, schema = 'invite';
  end if;
end
$$;
comment on function invite.require_sender(jsonb, text) is
  'Raises 23514 with the constraint sender_<setting> if a setting of the sender has a wrong form.';
