create function console.record_answers_export(session_hash bytea, survey_id text, filtered boolean) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_member invite.members := console.require_survey_role(record_answers_export.session_hash, record_answers_export.survey_id, 'viewer');
begin
  perform invite.record_access(
    v_member.workspace_id, v_member.email, 'answers_exported', record_answers_export.survey_id,
    jsonb_build_object('addresses', v_member.role < 'viewer', 'filtered', record_answers_export.filtered));
end
$$;
comment on function console.record_answers_export(bytea, text, boolean) is
  'Records in the audit log that a member downloads a survey''s answers, with or without addresses, as the role sees them.';
