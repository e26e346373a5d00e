/*
 * The survey need not be active. token_id: null: the email of lists, which is made if there is none. recipient: a member of the workspace, who needs no role on surveys; null: who asks. name: of the recipient that
 * it is a test of; null: one without a name. All members of a workspace together get 20 tests in 24 hours.
 *
 * Locks: an advisory lock on the workspace, so that concurrent requests cannot pass the limit together.
 * Raises: 23514 test_invitations_daily, test_invitations_to_member, test_invitations_in_test (nothing of a test workspace leaves).
 */
create function console.request_test_invitation(
  session_hash bytea, survey_id text, token_id uuid, message_kind invite.message_kind, language text default null, at timestamptz default null,
  recipient text default null, name text default null
) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_member invite.members :=
    console.require_survey_role(request_test_invitation.session_hash, request_test_invitation.survey_id, 'editor');
  v_recipient constant text := coalesce(lower(request_test_invitation.recipient collate "C"), v_member.email);
  v_token_id uuid := request_test_invitation.token_id;
  v_now timestamptz;
  v_id uuid;
begin
  if v_token_id is null then
    v_token_id := (invite.upload_token(request_test_invitation.survey_id)).id;
  elsif not exists (
    select from invite.trigger_token_overview as t
    where t.id = v_token_id and t.survey_id = request_test_invitation.survey_id
  ) then
    raise exception 'the survey has no such token' using errcode = 'P0002';
  end if;
  if (select w.test_of is not null from invite.workspaces as w where w.id = v_member.workspace_id) then
    raise exception 'nothing of a test workspace is sent (test_invitations_in_test)' using errcode = '23514', constraint = 'test_invitations_in_test';
  end if;
  if not exists (
    select from invite.members as m where m.workspace_id = v_member.workspace_id and m.email = v_recipient
  ) then
    raise exception 'a test message goes to a member of the workspace (test_invitations_to_member)'
      using errcode = '23514', constraint = 'test_invitations_to_member';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('invite.test_invitations ' || v_member.workspace_id, 0));
  v_now := invite.clock(invite.owner_time(request_test_invitation.at));
  if (
    select count(*)
    from invite.surveys as s
    join invite.test_invitations as x on x.survey_id = s.id and x.requested_at > v_now - interval '24 hours'
    where s.workspace_id = v_member.workspace_id
  ) >= 20 then
    raise exception 'at most 20 test messages in 24 hours (test_invitations_daily)'
      using errcode = '23514', constraint = 'test_invitations_daily';
  end if;
  insert into invite.test_invitations (survey_id, trigger_token_id, message_kind, language, email, recipient, name, requested_at)
  values (
    request_test_invitation.survey_id, v_token_id, request_test_invitation.message_kind,
    request_test_invitation.language, v_member.email, v_recipient, request_test_invitation.name, v_now)
  returning id into v_id;
  perform graphile_worker.add_job('send_test_invitation', json_build_object('test_id', v_id), priority => -1);
end
$$;
comment on function console.request_test_invitation(bytea, text, uuid, invite.message_kind, text, timestamptz, text, text) is
  'Queues a test message to a member of the workspace, as a recipient of the language and name gets it.';
