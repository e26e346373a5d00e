create type console.sending as (service_paused_at timestamptz, workspace_paused_at timestamptz, paused_surveys jsonb, workspace_paused_by text);
comment on type console.sending is
  'Where sending is paused: for everyone, for a workspace (null: it isn''t), and for which of its surveys: [{id, title, paused_at, paused_by}]. '
  'paused_by: the actor of the audit log; null: it has no entry among its newest, or the survey has another title now.';

create function console.sending(session_hash bytea, workspace_id text, max_surveys integer default 100, max_entries integer default 10000)
returns console.sending
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform console.require_role(sending.session_hash, sending.workspace_id, 'admin');
  return (
    with pauses as materialized (
      select a.id, a.scope, a.subject, a.actor, a.at
      from (
        select x.id, x.at, x.actor, x.action, x.subject, x.detail ->> 'scope' as scope
        from invite.audit_log as x
        where x.workspace_id = sending.workspace_id
        order by x.id desc
        limit sending.max_entries
      ) as a
      where a.action = 'sending_paused'
    )
    select
      row(
        g.paused_at, w.paused_at,
        (
          select coalesce(jsonb_agg(jsonb_build_object(
            'id', s.id, 'title', s.title, 'paused_at', s.paused_at,
            'paused_by', (
              select p.actor from pauses as p
              where p.scope = 'survey' and p.subject = s.title and p.at >= s.paused_at
              order by p.id
              limit 1
            )) order by s.paused_at desc), '[]')
          from (
            select x.* from invite.surveys as x
            where x.workspace_id = sending.workspace_id and x.paused_at is not null
            order by x.paused_at desc
            limit sending.max_surveys
          ) as s
        ),
        (select p.actor from pauses as p where p.scope = 'workspace' and p.at >= w.paused_at order by p.id limit 1)
      )::console.sending
    from invite.workspaces as w
    cross join invite.settings as g
    where w.id = sending.workspace_id);
end
$$;
comment on function console.sending(bytea, text, integer, integer) is 'Where sending is paused, and who paused it, for owners and admins of a workspace.';
