create type console.test_email as (
  id bigint, sent_at timestamptz, survey_id text, survey_title text, invitation_id bigint, message_number smallint, email jsonb
);
comment on type console.test_email is
  'An email in the outbox of a test workspace. message_number: 0: the invitation; from 1: its reminders. email: as in test_emails; in a list '
  'without text, html and headers.';

/*
 * email_id: this one, whole. Otherwise a page, the newest first; before_id: the last email of the previous page. recipient: a whole address.
 * Raises: P0002 also if it isn't a test workspace.
 */
create function console.test_emails(
  session_hash bytea, workspace_id text, email_id bigint default null, recipient text default null, before_id bigint default null,
  max_rows integer default 50
) returns setof console.test_email
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_invitations bigint[];
begin
  perform console.require_test_editor(test_emails.session_hash, test_emails.workspace_id);
  if test_emails.recipient is not null then
    v_invitations := invite.invitations_to(test_emails.workspace_id, test_emails.recipient);
  end if;
  return query
    select
      e.id, e.sent_at, i.survey_id, s.title, i.id, e.message_number,
      case when test_emails.email_id is null then e.email - '{text,html,headers}'::text[] else e.email end
    from invite.test_emails as e
    join invite.invitations as i on i.id = e.invitation_id
    join invite.surveys as s on s.id = i.survey_id
    where e.workspace_id = test_emails.workspace_id
      and (test_emails.email_id is null or e.id = test_emails.email_id)
      and (v_invitations is null or e.invitation_id = any (v_invitations))
      -- Pins: open bound.
      and e.id < coalesce(test_emails.before_id, 9223372036854775807)
    order by e.id desc
    limit test_emails.max_rows;
end
$$;
comment on function console.test_emails(bytea, text, bigint, text, bigint, integer) is
  'Emails in the outbox of a test workspace, newest first, for editors, admins and owners.';
