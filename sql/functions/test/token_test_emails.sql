/*
 * email_id: one email, whole. Otherwise a page, the newest first, without text, HTML and headers.
 */
create or replace function invite.token_test_emails(
  secret_hash bytea, email_id bigint default null, recipient text default null, batch_id uuid default null, before_id bigint default null,
  max_rows integer default 50
) returns setof jsonb
language sql stable security definer
set search_path = pg_catalog, pg_temp
as $$
  select
    jsonb_build_object(
      'id', e.id, 'sent_at', e.sent_at, 'batch_id', i.batch_id, 'survey_id', i.survey_id, 'invitation_id', i.id, 'reminder', e.message_number)
    || case when token_test_emails.email_id is null then e.email - '{text,html,headers}'::text[] else e.email end
  from invite.test_emails as e
  join invite.invitations as i on i.id = e.invitation_id
  where e.workspace_id = invite.test_workspace_of(token_test_emails.secret_hash)
    and (token_test_emails.email_id is null or e.id = token_test_emails.email_id)
    and (token_test_emails.recipient is null or lower(i.email) = lower(token_test_emails.recipient collate "C"))
    and (token_test_emails.batch_id is null or i.batch_id = token_test_emails.batch_id)
    and e.id < coalesce(token_test_emails.before_id, 9223372036854775807)
  order by e.id desc
  limit token_test_emails.max_rows
$$;
comment on function invite.token_test_emails(bytea, bigint, text, uuid, bigint, integer) is 'Emails in the outbox of the test workspace of a token.';
