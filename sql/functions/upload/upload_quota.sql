/*
 * A fifth of the workspace's quota is left to its backends, so that a long list doesn't stop them for hours.
 */
create or replace function invite.upload_quota(workspace_id text, at timestamptz) returns invite.upload_quota
language plpgsql stable
as $$
declare
  v_quota constant invite.quota := invite.workspace_quota(
    upload_quota.workspace_id, coalesce((select g.recipients_per_hour from invite.settings as g), 10000), upload_quota.at);
  v_kept constant integer := v_quota."limit" / 5;
begin
  return row(v_quota."limit" - v_kept, greatest(v_quota.remaining - v_kept, 0))::invite.upload_quota;
end
$$;
comment on function invite.upload_quota(text, timestamptz) is 'How many people the uploads of a workspace may invite in an hour, and how many now.';
