/*
 * A setting is a column of trigger_tokens with an entry here. update_trigger_token takes no other.
 */
create or replace function invite.token_settings() returns table (name text, least_role invite.member_role)
language sql immutable parallel safe
as $$
  values
    ('name', 'editor'::invite.member_role),
    ('cooldown_seconds', 'editor'),
    ('default_subject', 'editor'),
    ('default_message', 'editor'),
    ('default_reminder_days', 'editor'),
    ('default_reminder_subject', 'editor'),
    ('default_reminder_message', 'editor'),
    ('sender', 'editor'),
    -- Reading gives out addresses and answers.
    ('allow_reading', 'admin')
$$;
comment on function invite.token_settings() is 'The settings of a trigger token, and the least role that may change each on its page.';
