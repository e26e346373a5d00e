create type console.notifications as (email text, weekly_report boolean, report_due_at timestamptz, time_zone text, alerts jsonb, role invite.member_role);
comment on type console.notifications is
  'What a member has chosen to get by email. time_zone: null for the workspace''s. alerts: [{survey_id, title, question, label, below}], by title.';

create function console.notifications(session_hash bytea, workspace_id text) returns console.notifications
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_member constant invite.members := console.require_role(notifications.session_hash, notifications.workspace_id, 'viewer');
begin
  return (
    select row(
      v_member.email, n.report_due_at is not null, n.report_due_at, n.time_zone,
      (
        select coalesce(jsonb_agg(jsonb_build_object(
          'survey_id', s.id, 'title', s.title, 'question', a.question, 'below', a.below, 'label', (
            select q.value ->> 'label' from jsonb_array_elements(s.questions) as q where q.value ->> 'id' = a.question))
          order by s.title, s.id), '[]')
        from invite.score_alerts as a
        join invite.surveys as s on s.id = a.survey_id
        where a.notified_id = n.id
      ), v_member.role)::console.notifications
    from (select) as one
    left join invite.notified_members as n on n.workspace_id = v_member.workspace_id and n.email = v_member.email);
end
$$;
comment on function console.notifications(bytea, text) is 'What the member who uses a session has chosen to get by email.';
