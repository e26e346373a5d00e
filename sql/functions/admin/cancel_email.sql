/*
 * In all its surveys. Later requests may invite the address again; to stop that, suppress it. An address that was never invited is no
 * error.
 */
create or replace function invite.cancel_email(
  workspace_id text, email text, at timestamptz default null
) returns invite.cancel_result
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform invite.require_workspace(cancel_email.workspace_id);
  return invite.cancel_invitations(
    array(
      select i.id
      from invite.invitations as i
      join invite.batches as b on b.id = i.batch_id
      where lower(i.email) = lower(cancel_email.email) and b.workspace_id = cancel_email.workspace_id
    ),
    cancel_email.at);
end
$$;
comment on function invite.cancel_email(text, text, timestamptz) is 'Cancels the pending messages to an address in a workspace.';
