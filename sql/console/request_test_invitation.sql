/*
 * The survey need not be active. A member gets ten tests an hour, and all members of a workspace together fifty.
 *
 * Locks: advisory locks on the workspace and the address, so that concurrent requests cannot pass a limit together.
 * Raises: 23514 test_invitations_hourly, test_invitations_of_workspace, test_invitations_in_test (nothing of a test workspace leaves).
 */
create function console.request_test_invitation(
  session_hash bytea, survey_id text, token_id uuid, message_kind invite.message_kind, language text default null, at timestamptz default null
) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_member invite.members :=
    console.require_survey_role(request_test_invitation.session_hash, request_test_invitation.survey_id, 'editor');
  v_now timestamptz;
  v_id uuid;
begin
  if not exists (
    select from invite.trigger_token_overview as t
    where t.id = request_test_invitation.token_id and t.survey_id = request_test_invitation.survey_id
  ) then
    raise exception 'the survey has no such token' using errcode = 'P0002';
  end if;
  if (select w.test_of is not null from invite.workspaces as w where w.id = v_member.workspace_id) then
    raise exception 'nothing of a test workspace is sent (test_invitations_in_test)' using errcode = '23514', constraint = 'test_invitations_in_test';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('invite.test_invitations ' || v_member.workspace_id, 0));
  perform pg_advisory_xact_lock(hashtextextended('invite.test_invitation ' || v_member.email, 0));
  v_now := invite.clock(invite.owner_time(request_test_invitation.at));
  if (
    select count(*) from invite.test_invitations as x where x.email = v_member.email and x.requested_at > v_now - interval '1 hour'
  ) >= 10 then
    raise exception 'at most ten test messages an hour (test_invitations_hourly)' using errcode = '23514', constraint = 'test_invitations_hourly';
  end if;
  if (
    select count(*)
    from invite.surveys as s
    join invite.test_invitations as x on x.survey_id = s.id and x.requested_at > v_now - interval '1 hour'
    where s.workspace_id = v_member.workspace_id
  ) >= 50 then
    raise exception 'at most fifty test messages an hour (test_invitations_of_workspace)'
      using errcode = '23514', constraint = 'test_invitations_of_workspace';
  end if;
  insert into invite.test_invitations (survey_id, trigger_token_id, message_kind, language, email, requested_at)
  values (
    request_test_invitation.survey_id, request_test_invitation.token_id, request_test_invitation.message_kind,
    request_test_invitation.language, v_member.email, v_now)
  returning id into v_id;
  perform graphile_worker.add_job('send_test_invitation', json_build_object('test_id', v_id), priority => -1);
end
$$;
comment on function console.request_test_invitation(bytea, text, uuid, invite.message_kind, text, timestamptz) is
  'Queues a test message to the member''s own address, as a recipient of the language gets it, at most ten an hour.';
