create type console.invitation as (
  id bigint, batch_id uuid, email text, name text, status invite.message_status, message_kind invite.message_kind,
  due_at timestamptz, sent_at timestamptz, reminded_at timestamptz, responded_at timestamptz, cancelled_at timestamptz, attempts smallint,
  last_error text, message_status invite.message_status, last_error_code text, metadata jsonb,
  unsent_reason invite.unsent_reason, hold_reason invite.hold_reason, suppression_reason invite.suppression_reason,
  suppressed_at timestamptz, relay text, relay_code text,
  outcome invite.invitation_outcome, leave_by timestamptz, rest_survey text, rest_since timestamptz
);
comment on type console.invitation is
  'An invitation on its survey''s page, without its link token. status: as people see it (display_status). message_status: of its current '
  'message. unsent_reason: why that message hasn''t been sent, as in unsent_causes, like the columns after it; null: it was sent. outcome: '
  'the last of its outcomes. leave_by: when it is skipped if it hasn''t left. rest_survey, rest_since: what a message rests for, and when that was '
  'sent. metadata, rest_survey, rest_since: null in a list.';

/*
 * metadata: the metadata that a response to it will have.
 */
create function console.invitation(session_hash bytea, survey_id text, invitation_id bigint) returns console.invitation
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_line console.invitation;
begin
  perform console.require_invitation_editor(invitation.session_hash, invitation.survey_id, invitation.invitation_id);
  select l.* into v_line from console.invitation_lines(array[invitation.invitation_id]) as l;
  select case when num_nonnulls(b.metadata, i.metadata) > 0 then coalesce(b.metadata, '{}') || coalesce(i.metadata, '{}') end
  into v_line.metadata
  from invite.invitations as i
  join invite.batches as b on b.id = i.batch_id
  where i.id = invitation.invitation_id;
  if v_line.unsent_reason in ('resting', 'rests_too_long') then
    select c.survey_title, c.sent_at into v_line.rest_survey, v_line.rest_since from invite.rest_cause(invitation.invitation_id) as c;
  end if;
  return v_line;
end
$$;
comment on function console.invitation(bytea, text, bigint) is 'One invitation of a survey, without its link token.';
