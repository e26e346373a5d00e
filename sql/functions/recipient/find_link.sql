/*
 * Compares digests, so that the time of the comparison tells nothing of the secret. The id is a variable, so that the only plan is a lookup of
 * the key.
 */
create or replace function invite.find_link(link_token text) returns setof invite.invitations
language plpgsql stable rows 1
as $$
declare
  v_settings invite.settings;
  v_id bigint;
begin
  select g.* into v_settings from invite.settings as g;
  v_id := invite.link_id(find_link.link_token, v_settings);
  return query
  select i.*
  from invite.invitations as i
  where i.id = v_id
    and sha256(convert_to(invite.link_text(i.id, i.secret, v_settings), 'UTF8')) = sha256(convert_to(find_link.link_token, 'UTF8'));
end
$$;
comment on function invite.find_link(text) is 'The invitation of a tracked link; no row if its token is wrong.';
