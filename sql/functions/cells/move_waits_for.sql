/*
 * sending: emails that a worker has. unpublished: events without a position. running: jobs, and webhooks and members' emails that a worker is sending; nothing is lost if they
 * aren't waited for, but a receiver may get a webhook twice, with the same id.
 */
create or replace function invite.move_waits_for(workspace_id text, out sending bigint, out unpublished bigint, out running bigint)
language sql stable
set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
  select
    (
      select count(*)
      from invite.messages as m
      join invite.invitations as i on i.id = m.invitation_id
      where m.status = 'sending' and i.workspace_id in (select x.id from invite.workspaces_with(move_waits_for.workspace_id) as x)
    ),
    (
      select count(*)
      from invite.new_events as n
      join invite.surveys as s on s.id = n.survey_id
      where n.id >= (select p.read_from from invite.queue_progress as p where p.queue = 'new_events')
        and s.workspace_id in (select x.id from invite.workspaces_with(move_waits_for.workspace_id) as x)
    ),
    (select count(*) from invite.jobs_of(array(select x.id from invite.workspaces_with(move_waits_for.workspace_id) as x)) as j where j.locked_at is not null)
    + (
      select count(*)
      from invite.webhook_endpoints as w
      join invite.webhook_deliveries as d on d.endpoint_id = w.id
      where d.leased_until > invite.now() and w.workspace_id in (select x.id from invite.workspaces_with(move_waits_for.workspace_id) as x)
    )
    + (
      select count(*)
      from invite.notified_members as m
      join invite.notifications as n on n.notified_id = m.id
      where n.leased_until > invite.now() and n.due_at is not null
        and m.workspace_id in (select x.id from invite.workspaces_with(move_waits_for.workspace_id) as x)
    )
$$;
comment on function invite.move_waits_for(text) is 'What of a workspace whose move has begun is still on its way.';
