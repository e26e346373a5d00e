create or replace view invite.trigger_token_overview as
select
  t.id, t.survey_id, t.name, t.secret_hint, t.cooldown_seconds, t.default_subject, t.default_message, t.default_reminder_days,
  t.last_accepted_at, t.created_by, t.created_at, t.default_reminder_subject, t.default_reminder_message
from invite.trigger_tokens as t
where t.deleted_at is null;
comment on view invite.trigger_token_overview is 'The trigger tokens that are not deleted, without the hashes of their secrets.';
