create or replace function invite.sending_in_tests(late_send_hours integer) returns invite.sending
language sql immutable
as $$
  select row(true, false, late_send_hours, null, null, null, null)::invite.sending
$$;
comment on function invite.sending_in_tests(integer) is 'What can be sent in a test workspace: all, since no worker and no relay is needed.';
