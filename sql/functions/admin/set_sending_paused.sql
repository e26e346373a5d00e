/*
 * While sending is paused, requests are accepted, and due invitations and reminders wait; resuming sends them. Members' emails (sign-in
 * links, tests) are always sent.
 */
create or replace function invite.set_sending_paused(paused boolean) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  update invite.settings as g
  set paused_at = case when set_sending_paused.paused then invite.clock() end
  where set_sending_paused.paused <> (g.paused_at is not null);
end
$$;
comment on function invite.set_sending_paused(boolean) is 'Pauses or resumes sending for everyone, while requests are accepted.';
