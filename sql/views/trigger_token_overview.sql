create or replace view invite.trigger_token_overview as
select
  t.id, t.survey_id, t.name, t.secret_hint, t.cooldown_seconds, t.default_subject, t.default_message, t.default_reminders,
  t.default_reminder_subject, t.default_reminder_message,
  (
    select b.accepted_at
    from invite.batches as b
    where b.trigger_token_id = t.id
    order by b.workspace_total desc
    limit 1
  ) as last_accepted_at,
  t.created_by, t.created_at,
  coalesce((
    select sum(r.rejected) from invite.rejections as r
    where r.trigger_token_id = t.id and r.hour > invite.now() - interval '24 hours'), 0)::integer as rejected,
  (select s.public_url from invite.surveys as s where s.id = t.survey_id) as survey_public_url,
  t.sender, t.allow_reading, t.translations, (select s.language from invite.surveys as s where s.id = t.survey_id) as survey_language,
  (select w.sender from invite.surveys as s join invite.workspaces as w on w.id = s.workspace_id where s.id = t.survey_id) as workspace_sender,
  t.ignores_rest,
  (select w.rest_days from invite.surveys as s join invite.workspaces as w on w.id = s.workspace_id where s.id = t.survey_id) as workspace_rest_days,
  case when t.previous_secret_until > invite.now() then t.previous_secret_hint end as previous_secret_hint,
  case when t.previous_secret_until > invite.now() then t.previous_secret_until end as previous_secret_until,
  t.is_by_hand, t.question_in_email, (select invite.email_question(s) from invite.surveys as s where s.id = t.survey_id) as email_question,
  t.translated_from
from invite.trigger_tokens as t
where t.deleted_at is null;
comment on view invite.trigger_token_overview is
  'The trigger tokens that aren''t deleted, without the hashes of their secrets. rejected: how many of their requests were rejected in the last '
  '24 hours. survey_public_url: where their links lead if the product has its own survey page.';
