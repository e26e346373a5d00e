create or replace function invite.token_originals(token invite.trigger_tokens) returns jsonb
language sql stable
as $$
  select jsonb_strip_nulls(jsonb_build_object(
    'subject', token.default_subject, 'message', token.default_message, 'reminder_subject', token.default_reminder_subject,
    'reminder_message', token.default_reminder_message)
    || (
      select jsonb_object_agg(n.name, coalesce(nullif(token.sender ->> n.name, ''), w.sender ->> n.name))
      from unnest(array['recipient_word', 'greeting_without_name', 'subject_without_name', 'button_text', 'preheader']) as n (name)
      left join invite.surveys as s on s.id = token.survey_id
      left join invite.workspaces as w on w.id = s.workspace_id
    ))
$$;
comment on function invite.token_originals(invite.trigger_tokens) is
  'The texts of a token that can be translated, with those of its workspace where it has none of its own.';
