/*
 * Only for members: people of other workspaces are told that there is no such page, and leave nothing here. No page checks a role by this.
 */
create function console.record_refusal(session_hash bytea, workspace_id text, page text, survey_id text default null) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_member invite.members := console.require_role(record_refusal.session_hash, record_refusal.workspace_id, 'viewer');
begin
  perform invite.record_access(
    v_member.workspace_id, v_member.email, 'access_refused', left(record_refusal.page, 100),
    jsonb_build_object(
      'role', v_member.role,
      'survey', (select s.id from invite.surveys as s where s.id = record_refusal.survey_id and s.workspace_id = v_member.workspace_id)));
end
$$;
comment on function console.record_refusal(bytea, text, text, text) is
  'Records in the audit log that a member asked for a page or a change that the role doesn''t allow.';
