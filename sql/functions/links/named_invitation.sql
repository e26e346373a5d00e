/*
 * Every link token begins with its home and a permuted id; callers compare the rest with link_token. The id is a variable, so that the only
 * plan is a lookup of the key.
 */
create or replace function invite.named_invitation(token text) returns table (invitation invite.invitations, link_token text)
language plpgsql stable rows 1
as $$
declare
  v_settings invite.settings;
  v_id bigint;
begin
  select g.* into v_settings from invite.settings as g;
  v_id := invite.link_id(named_invitation.token, v_settings);
  return query select i, invite.link_text(i.id, i.secret, v_settings) from invite.invitations as i where i.id = v_id;
end
$$;
comment on function invite.named_invitation(text) is
  'The invitation that the token of a tracked or unsubscribe link names, and the token that its tracked link should have. Proves nothing by itself.';
