create type console.sending as (service_paused_at timestamptz, workspace_paused_at timestamptz, paused_surveys jsonb, workspace_paused_by text);
comment on type console.sending is
  'Where sending is paused: for everyone, for a workspace (null: it isn''t), and for which of its surveys: [{id, title, paused_at, paused_by}]. '
  'paused_by: as the function of that name.';

create function console.sending(session_hash bytea, workspace_id text, max_surveys integer default 100) returns console.sending
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform console.require_role(sending.session_hash, sending.workspace_id, 'admin');
  return (
    select
      row(
        g.paused_at, w.paused_at,
        (
          select coalesce(jsonb_agg(jsonb_build_object(
            'id', s.id, 'title', s.title, 'paused_at', s.paused_at,
            'paused_by', console.paused_by(w.id, 'survey', s.title, s.paused_at)) order by s.paused_at desc), '[]')
          from (
            select x.* from invite.surveys as x
            where x.workspace_id = sending.workspace_id and x.paused_at is not null
            order by x.paused_at desc
            limit sending.max_surveys
          ) as s
        ),
        case when w.paused_at is not null then console.paused_by(w.id, 'workspace', null, w.paused_at) end
      )::console.sending
    from invite.workspaces as w
    cross join invite.settings as g
    where w.id = sending.workspace_id);
end
$$;
comment on function console.sending(bytea, text, integer) is 'Where sending is paused, and who paused it, for owners and admins of a workspace.';
