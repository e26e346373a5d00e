create or replace function invite.remind_now(invitation_id bigint, at timestamptz default null) returns invite.remind_result
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_result invite.remind_result;
begin
  perform invite.require_invitation(remind_now.invitation_id);
  v_result := invite.remind_invitations(array[remind_now.invitation_id], remind_now.at);
  perform invite.record_message_audit(
    (select i.survey_id from invite.invitations as i where i.id = remind_now.invitation_id), 'reminded_now', remind_now.invitation_id::text,
    v_result.reminded);
  return v_result;
end
$$;
comment on function invite.remind_now(bigint, timestamptz) is 'Makes the next reminder of an invitation due now.';
