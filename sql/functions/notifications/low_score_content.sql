/*
 * The lowest first, and of these the ones with a comment. Roles that see no addresses get neither address nor name.
 */
create or replace function invite.low_score_content(notification_id bigint, role invite.member_role, max_rows integer default 25) returns jsonb
language sql stable
as $$
  select jsonb_build_object('total', max(t.total), 'scores', jsonb_agg(to_jsonb(t) - 'total' - 'place' order by t.place))
  from (
    select
      r.id::text as response_id, r.survey_id, s.title as survey_title, r.submitted_at, a.question, q.label, a.below,
      invite.score_of(r.answers, a.question) as score, q.highest, invite.comments_of(k.questions, r.answers) as comments,
      case when low_score_content.role <= 'editor' then i.email end as email, case when low_score_content.role <= 'editor' then i.name end as name,
      count(*) over () as total, row_number() over (
        order by invite.score_of(r.answers, a.question), jsonb_array_length(invite.comments_of(k.questions, r.answers)) = 0, r.id) as place
    from invite.low_scores as l
    join invite.responses as r on r.id = l.response_id and r.erased_at is null
    join invite.surveys as s on s.id = r.survey_id
    join invite.score_alerts as a on a.survey_id = r.survey_id and a.notified_id = l.notified_id and invite.score_of(r.answers, a.question) < a.below
    cross join lateral (select coalesce(invite.questions_as_asked(r.survey_id, r.questions_version), s.questions) as questions) as k
    left join lateral (
      select x.value ->> 'label' as label, coalesce((x.value ->> 'max')::integer, 10) as highest
      from jsonb_array_elements(k.questions) as x
      where x.value ->> 'id' = a.question
    ) as q on true
    left join invite.invitations as i on i.id = r.invitation_id
    where l.notification_id = low_score_content.notification_id
  ) as t
  where t.place <= low_score_content.max_rows
  having count(*) > 0
$$;
comment on function invite.low_score_content(bigint, invite.member_role, integer) is
  'What an email about low scores says: {total, scores: [{response_id, survey_id, survey_title, submitted_at, label, score, highest, below, comments, email, name}]}.';
