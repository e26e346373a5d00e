/*
 * Nothing is sent if the test was requested an hour ago, its token is deleted, the member who asked is no longer an editor, or the one
 * who gets it no longer a member.
 */
create or replace function invite.issue_test_invitation(test_id uuid, at timestamptz default null) returns invite.test_message
language sql stable
as $$
  select row(
    x.id, x.message_kind, x.recipient, t.default_subject, t.default_message, s.id, s.title,
    p.translation, w.name,
    t.default_reminder_subject, t.default_reminder_message, invite.sender_of(w.sender, t.sender), s.language, x.language,
    invite.nearest_translation(t.translations, x.language, null, s.language),
    x.name, case when t.question_in_email then invite.email_question(s, p.translation ->> 'language') end, w.wording
  )::invite.test_message
  from invite.test_invitations as x
  join invite.trigger_tokens as t on t.id = x.trigger_token_id and t.deleted_at is null
  join invite.surveys as s on s.id = x.survey_id
  join invite.workspaces as w on w.id = s.workspace_id
  join invite.members as m on m.workspace_id = w.id and m.email = x.email and m.role <= 'editor'
  join invite.members as n on n.workspace_id = w.id and n.email = x.recipient
  cross join lateral (select invite.page_translation(s, x.language, null) as translation) as p
  where x.id = issue_test_invitation.test_id
    and x.requested_at > invite.now(issue_test_invitation.at) - interval '1 hour'
$$;
comment on function invite.issue_test_invitation(uuid, timestamptz) is 'The contents of a test message; nulls: nothing is to be sent.';
