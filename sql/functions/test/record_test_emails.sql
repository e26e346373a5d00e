/*
 * emails: [{"id", "number", "email"}]: the message of each, and what a relay would have got.
 */
create or replace function invite.record_test_emails(advance_id uuid, emails jsonb, at timestamptz) returns void
language plpgsql volatile
as $$
begin
  insert into invite.test_emails (workspace_id, invitation_id, message_number, sent_at, email)
  select a.workspace_id, e.id, e.number, record_test_emails.at, e.email
  from invite.test_advances as a
  cross join jsonb_to_recordset(record_test_emails.emails) as e (id bigint, number smallint, email jsonb)
  where a.id = record_test_emails.advance_id
  order by e.id;
  perform invite.plan_in_test(a.workspace_id, e.id, e.number, i.email, record_test_emails.at)
  from invite.test_advances as a
  cross join jsonb_to_recordset(record_test_emails.emails) as e (id bigint, number smallint)
  join invite.invitations as i on i.id = e.id
  where a.id = record_test_emails.advance_id
  order by e.id;
end
$$;
comment on function invite.record_test_emails(uuid, jsonb, timestamptz) is 'Puts emails into the outbox of a test workspace, and plans what its recipients do.';
