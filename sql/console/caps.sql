create type console.cap as (
  scope invite.cap_scope, domain text, per_hour integer, per_day integer, own_per_hour integer, own_per_day integer, earned_per_day integer,
  earned_days integer, sent_this_hour integer, sent_today integer, waiting integer, waits_until timestamptz
);
comment on type console.cap is
  'A cap that counts emails of a workspace, as the view cap_overview has it. Of a shared one, per_hour and per_day are for all workspaces, and the '
  'counts are this one''s.';

create function console.caps(session_hash bytea, workspace_id text, at timestamptz default null) returns setof console.cap
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_now timestamptz;
begin
  perform console.require_role(caps.session_hash, caps.workspace_id, 'admin');
  v_now := invite.now_of(caps.workspace_id, invite.owner_time(caps.at));
  return query
  select
    o.scope, o.domain, o.per_hour, o.per_day, o.own_per_hour, o.own_per_day, o.earned_per_day, o.earned_days::integer, o.sent_this_hour,
    o.sent_today, o.waiting, o.waits_until
  from invite.cap_overview as o
  where o.workspace_id = caps.workspace_id
  union all
  select
    'shared', c.domain, c.per_hour, c.per_day, null, null, null, null,
    coalesce(sum(s.used) filter (where s.slot = date_trunc('hour', v_now, 'UTC')), 0)::integer,
    coalesce(sum(s.used) filter (where s.slot <= v_now), 0)::integer,
    coalesce(sum(greatest(s.large + s.small - s.used, 0)) filter (where s.slot >= date_trunc('hour', v_now, 'UTC')), 0)::integer,
    max(s.slot) filter (where s.large + s.small > s.used and s.slot >= date_trunc('hour', v_now, 'UTC')) + interval '1 hour'
  from invite.shared_caps as c
  join invite.workspaces as w on w.id = caps.workspace_id and w.test_of is null
  left join invite.cap_slots as s
    on s.workspace_id = w.id and s.scope = 'shared' and s.domain = c.domain and s.slot >= date_trunc('day', v_now, 'UTC')
  group by c.domain
  order by 1, 2
  limit 200;
end
$$;
comment on function console.caps(bytea, text, timestamptz) is
  'The caps that count emails of a workspace, what has left under them, and what waits, for owners and admins.';
