create type console.recipient as (
  id bigint, batch_id uuid, email text, name text, status invite.message_status, message_kind invite.message_kind,
  due_at timestamptz, sent_at timestamptz, reminded_at timestamptz, responded_at timestamptz, cancelled_at timestamptz, attempts smallint,
  last_error text, message_status invite.message_status, last_error_code text, metadata jsonb,
  unsent_reason invite.unsent_reason, hold_reason invite.hold_reason, suppression_reason invite.suppression_reason,
  suppressed_at timestamptz, relay text, relay_code text, outcome invite.invitation_outcome,
  survey_id text, survey_title text, accepted_at timestamptz, listed_reason invite.suppression_reason, listed_at timestamptz
);
comment on type console.recipient is
  'A recipient of a workspace with one invitation, as in console.invitation. listed_reason, listed_at: why and since when the address is on the '
  'do-not-email list; null: it isn''t.';

create function console.recipient(session_hash bytea, workspace_id text, invitation_id bigint) returns setof console.recipient
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform console.require_role(recipient.session_hash, recipient.workspace_id, 'editor');
  return query
    select l.*
    from console.recipient_lines(
      console.recipient_ids(recipient.workspace_id, recipient.invitation_id)) as l
    order by l.id desc;
end
$$;
comment on function console.recipient(bytea, text, bigint) is
  'All invitations to the recipient of an invitation, in all surveys of the workspace, newest first; bounded.';
