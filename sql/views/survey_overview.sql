create or replace view invite.survey_overview as
select
  s.id, s.workspace_id, s.title, s.state, s.disabled_at, s.public_url, s.created_at,
  invite.hold_reason(s, w, p, g) as hold_reason,
  invite.hold_reason_in_words(invite.hold_reason(s, w, p, g)) as in_words,
  (select count(*)::integer from invite.responses as r where r.survey_id = s.id) as responses,
  s.open_responses, s.paused_at, s.questions_version, s.thanks, s.language, s.translations,
  s.link_days, s.response_limit, s.closes_at, s.time_zone, s.max_delay_hours,
  (select d.edited_at from invite.question_drafts as d where d.survey_id = s.id and d.replaced_at is null) as draft_edited_at
from invite.surveys as s
join invite.workspaces as w on w.id = s.workspace_id
join invite.plans as p on p.id = w.plan_id
cross join invite.settings as g;
comment on view invite.survey_overview is 'Surveys, and why their email is held: hold_reason, and a sentence in in_words; null: it isn''t held.';
