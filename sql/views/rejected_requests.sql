create or replace view invite.rejected_requests as
select
  s.workspace_id, t.survey_id, t.id as trigger_token_id, t.name, t.secret_hint, t.deleted_at, r.code, r.hour, r.rejected, r.last_at,
  r.last_detail
from invite.rejections as r
join invite.trigger_tokens as t on t.id = r.trigger_token_id
join invite.surveys as s on s.id = t.survey_id;
comment on view invite.rejected_requests is
  'Rejected trigger requests of the last week by token, code and hour. Those with a secret that no token ever had are only in the log.';
