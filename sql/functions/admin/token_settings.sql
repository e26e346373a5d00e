/*
 * A setting is a column of trigger_tokens with an entry here. update_trigger_token takes no other. sender has texts of its own, which
 * merge_texts removes.
 */
create or replace function invite.token_settings() returns table (name text, least_role invite.member_role, empty_removes boolean)
language sql immutable parallel safe
as $$
  values
    ('name', 'editor'::invite.member_role, false),
    ('cooldown_seconds', 'editor', false),
    ('default_subject', 'editor', false),
    ('default_message', 'editor', false),
    ('default_reminders', 'editor', false),
    ('default_reminder_subject', 'editor', true),
    ('default_reminder_message', 'editor', true),
    ('sender', 'editor', false),
    ('question_in_email', 'editor', false),
    -- Reading gives out addresses and answers.
    ('allow_reading', 'admin', false),
    -- Admins set the rest that it leaves out.
    ('ignores_rest', 'admin', false)
$$;
comment on function invite.token_settings() is
  'The settings of a trigger token, the least role that may change each on its page, and whether an empty text removes it.';
