create or replace view invite.results as
select
  r.id, r.survey_id, r.submitted_at, r.answers,
  case when r.invitation_id is null then 'direct' else 'invitation' end as attribution,
  r.invitation_id, i.batch_id, i.email, i.name, r.metadata, r.questions_version, r.erased_at, r.language,
  r.clicked_in_email, r.trigger_token_id
from invite.responses as r
left join invite.invitations as i on i.id = r.invitation_id;
comment on view invite.results is
  'The Results: responses with their attribution and the hidden metadata of the request that invited the respondent.';
