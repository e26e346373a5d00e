/*
 * Decides which emails there are. A weekly report once a week for each member who wants it; after an outage only the newest. Low scores: as long as
 * all that wait fit into the hour (alerts_per_hour), each has an email of its own. Otherwise one email tells them all, as soon as the hour has a
 * place. So a member gets at most so many an hour, however many scores there are.
 *
 * Locks: the members' rows (for no key update, skip locked), so that two workers never decide about one member.
 */
create or replace function invite.prepare_notifications(at timestamptz default null, max_rows integer default 500) returns void
language plpgsql volatile
as $$
declare
  v_now constant timestamptz := invite.clock(prepare_notifications.at);
  v_member record;
  v_waiting bigint[];
  v_recent integer;
  v_first timestamptz;
  v_response bigint;
  v_id bigint;
begin
  for v_member in
    select n.id, invite.zone_of(n.time_zone, w.time_zone) as zone
    from invite.notified_members as n
    join invite.workspaces as w on w.id = n.workspace_id and w.moved_to is null
    where n.report_due_at <= v_now
    order by n.report_due_at
    limit prepare_notifications.max_rows
    for no key update of n skip locked
  loop
    insert into invite.notifications (notified_id, kind, week_ends_on, created_at, due_at)
    values (v_member.id, 'weekly_report', date_trunc('week', v_now at time zone v_member.zone)::date, v_now, v_now);
    update invite.notified_members as n set report_due_at = invite.next_report_at(v_member.zone, v_now)
    where n.id = v_member.id
    returning n.report_due_at into v_first;
    perform invite.wake_notifications(v_first);
  end loop;

  for v_member in
    select n.id
    from invite.notified_members as n
    join invite.workspaces as w on w.id = n.workspace_id and w.moved_to is null
    where n.id = any (array(select distinct l.notified_id from invite.low_scores as l where l.notification_id is null))
    order by n.id
    limit prepare_notifications.max_rows
    for no key update of n skip locked
  loop
    -- Looked at by a statement of its own, after the lock. What was erased or deleted since is not told.
    delete from invite.low_scores as l
    where l.notified_id = v_member.id and l.notification_id is null
      and not exists (select from invite.responses as r where r.id = l.response_id and r.erased_at is null);
    v_waiting := array(select l.response_id from invite.low_scores as l where l.notified_id = v_member.id and l.notification_id is null order by l.response_id);
    continue when cardinality(v_waiting) = 0;
    select count(*), min(n.created_at) into v_recent, v_first
    from invite.notifications as n
    where n.notified_id = v_member.id and n.kind = 'low_scores' and n.created_at > v_now - interval '1 hour';
    if v_recent >= invite.alerts_per_hour() then
      perform invite.wake_notifications(v_first + interval '1 hour');
      continue;
    end if;
    if cardinality(v_waiting) <= invite.alerts_per_hour() - v_recent then
      foreach v_response in array v_waiting loop
        insert into invite.notifications (notified_id, kind, created_at, due_at) values (v_member.id, 'low_scores', v_now, v_now) returning id into v_id;
        update invite.low_scores as l set notification_id = v_id where l.notified_id = v_member.id and l.response_id = v_response;
      end loop;
    else
      insert into invite.notifications (notified_id, kind, created_at, due_at) values (v_member.id, 'low_scores', v_now, v_now) returning id into v_id;
      update invite.low_scores as l set notification_id = v_id where l.notified_id = v_member.id and l.response_id = any (v_waiting);
    end if;
  end loop;
end
$$;
comment on function invite.prepare_notifications(timestamptz, integer) is 'Decides which emails members get now about low scores and their week.';
