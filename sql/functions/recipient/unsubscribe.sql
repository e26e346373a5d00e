/*
 * Unsubscribes permanently and from all surveys (RFC 8058 one-click, and the page's button). Can be repeated. Returns a row of nulls if the
 * token is unknown.
 *
 * Locks: as unsubscribe_recipient.
 */
create or replace function invite.unsubscribe(unsubscribe_token text) returns invite.unsubscribe_page
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform invite.unsubscribe_recipient(i.id) from invite.find_unsubscribe_link(unsubscribe.unsubscribe_token) as i;
  return invite.unsubscribe_page(unsubscribe.unsubscribe_token);
end
$$;
comment on function invite.unsubscribe(text) is 'Suppresses the address behind an unsubscribe link in its workspace.';
