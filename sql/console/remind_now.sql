create function console.remind_now(session_hash bytea, survey_id text, invitation_id bigint) returns integer
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_member invite.members :=
    console.require_invitation_editor(remind_now.session_hash, remind_now.survey_id, remind_now.invitation_id);
  v_result invite.remind_result := invite.remind_now(remind_now.invitation_id);
begin
  return v_result.reminded;
end
$$;
comment on function console.remind_now(bytea, text, bigint) is
  'Makes the next reminder of an invitation due now on behalf of an editor. Returns how many.';
