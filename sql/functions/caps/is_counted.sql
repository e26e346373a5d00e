create or replace function invite.is_counted(scope invite.cap_scope, domain text, place invite.place) returns boolean
language sql immutable parallel safe
as $$
  select case is_counted.scope
    when 'workspace' then true
    when 'sender' then coalesce((is_counted.place).sender_domain = is_counted.domain, false)
    else (is_counted.place).recipient_domain = is_counted.domain
  end
$$;
comment on function invite.is_counted(invite.cap_scope, text, invite.place) is 'Whether a cap counts an email.';
