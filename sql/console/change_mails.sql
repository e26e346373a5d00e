/*
 * Cancels or sends again the mails of a batch, or of one invitation, on behalf of a member: cancel_batch, retry_batch, cancel_invitation
 * and retry_invitation for a survey of the member's; in the audit log, by id and without an address, which could not be erased there.
 * Returns how many mails that was; 0: there was nothing to do.
 * Of batch_id and invitation_id one is given, never both: with both, one would be looked for in the survey, and the other changed.
 * Called by: the HTTP process. Locks: as those four. Raises: P0002 if the survey has no such batch or invitation; P0002, 42501 (require_role).
 */
create or replace function invite.change_mails(
  session_hash bytea, survey_id text, action invite.mail_action, batch_id uuid default null, invitation_id bigint default null
) returns integer
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_actor text := invite.require_survey_role(change_mails.session_hash, change_mails.survey_id, 'editor');
  v_cancelled invite.cancel_answer;
  v_mails integer;
begin
  if num_nonnulls(change_mails.batch_id, change_mails.invitation_id) <> 1 or not exists (
    select from invite.batches as b where b.id = change_mails.batch_id and b.survey_id = change_mails.survey_id
    union all
    select from invite.invitations as i where i.id = change_mails.invitation_id and i.survey_id = change_mails.survey_id
  ) then
    raise exception 'the survey has no such batch or invitation' using errcode = 'P0002';
  end if;

  if change_mails.action = 'retry' then
    v_mails := case
      when change_mails.batch_id is not null then (invite.retry_batch(change_mails.batch_id)).queued
      else (invite.retry_invitation(change_mails.invitation_id)).queued
    end;
  else
    if change_mails.batch_id is not null then
      v_cancelled := invite.cancel_batch(change_mails.batch_id);
    else
      v_cancelled := invite.cancel_invitation(change_mails.invitation_id);
    end if;
    v_mails := v_cancelled.cancelled + v_cancelled.already_sending;
  end if;

  perform invite.record_audit(
    s.workspace_id, v_actor,
    (case when change_mails.batch_id is null then 'invitation_' else 'batch_' end
      || case change_mails.action when 'cancel' then 'cancelled' else 'retried' end)::invite.audit_action,
    coalesce(change_mails.batch_id::text, change_mails.invitation_id::text),
    jsonb_build_object('survey', s.title, 'mails', v_mails))
  from invite.surveys as s
  where s.id = change_mails.survey_id and v_mails > 0;
  return v_mails;
end
$$;
comment on function invite.change_mails(bytea, text, invite.mail_action, uuid, bigint) is
  'Cancels or sends again the mails of a batch or an invitation on behalf of an editor. Returns how many.';
