create or replace function invite.rules_of_surveys(invitation_ids bigint[], late_send_hours integer) returns invite.survey_rules[]
language sql stable
as $$
  select array_agg(x.rules)
  from (
    select invite.rules_of(s, w, k.has_choices, rules_of_surveys.late_send_hours, k.has_caps) as rules
    from invite.surveys as s
    join invite.workspaces as w on w.id = s.workspace_id
    cross join lateral (select exists (select from invite.recipient_choices as c where c.workspace_id = w.id) as has_choices, invite.has_caps(w) as has_caps offset 0) as k
    where s.id in (select m.survey_id from invite.messages as m where m.invitation_id = any (rules_of_surveys.invitation_ids))
    offset 0
  ) as x
  where (x.rules).survey_id is not null
$$;
comment on function invite.rules_of_surveys(bigint[], integer) is
  'The rules of those surveys of these invitations that have any. Null: none has.';
