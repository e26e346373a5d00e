/*
 * Read right before it is sent, with the member's role now: nothing is told to someone who was removed since.
 */
create or replace function invite.notification_content(notification_id bigint, at timestamptz default null) returns invite.notification_content
language plpgsql stable
as $$
declare
  v_now constant timestamptz := invite.now(notification_content.at);
  v_email invite.notifications;
  v_result invite.notification_content;
begin
  select n.* into v_email from invite.notifications as n where n.id = notification_content.notification_id;
  select v_email.kind, w.id, w.name, m.email, m.role, invite.zone_of(n.time_zone, w.time_zone), invite.notification_token(n)
  into v_result.kind, v_result.workspace_id, v_result.workspace_name, v_result.email, v_result.role, v_result.time_zone, v_result.token
  from invite.notified_members as n
  join invite.members as m on m.workspace_id = n.workspace_id and m.email = n.email
  join invite.workspaces as w on w.id = n.workspace_id and w.test_of is null
  where n.id = v_email.notified_id;
  if v_result.email is not null then
    v_result.content := case v_email.kind
      when 'low_scores' then invite.low_score_content(v_email.id, v_result.role)
      else invite.weekly_report(v_result.workspace_id, v_result.role, v_result.time_zone, v_email.week_ends_on, v_now)
    end;
  end if;
  return v_result;
end
$$;
comment on function invite.notification_content(bigint, timestamptz) is
  'What is in an email to a member. content is null if nothing is left to tell: the member was removed, or the responses were erased.';
