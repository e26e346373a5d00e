create type console.suppression as (
  email text, reason invite.suppression_reason, created_at timestamptz, added_by text, invitation_id bigint, detail text
);
comment on type console.suppression is
  'An address on the do-not-email list. invitation_id: its newest invitation in the workspace, if any. detail: what the relay last said about it.';

/*
 * Newest first; in a search, by address. before: the last address of the previous page. Pins: index order, offset 0 fence.
 */
create function console.suppressions(
  session_hash bytea, workspace_id text, search text default null, before text default null, max_rows integer default 50
) returns setof console.suppression
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
declare
  v_workspace text := suppressions.workspace_id;
  v_search text := lower(suppressions.search collate "C");
  v_before invite.suppressions;
  v_emails text[];
begin
  perform console.require_role(suppressions.session_hash, v_workspace, 'editor');
  select p.* into v_before from invite.suppressions as p where p.workspace_id = v_workspace and p.email = lower(suppressions.before collate "C");
  if v_search is not null then
    v_emails := array(
      select p.email
      from invite.suppressions as p
      where p.workspace_id = v_workspace and p.email >= v_search and p.email < (v_search || chr(1114111))
        and p.email > coalesce(v_before.email, '')
      order by p.email
      limit suppressions.max_rows);
  else
    v_emails := array(
      select p.email
      from invite.suppressions as p
      where p.workspace_id = v_workspace
        -- Pins: open bound.
        and p.created_at <= coalesce(v_before.created_at, 'infinity')
        and (v_before.email is null or p.created_at < v_before.created_at or p.email < v_before.email)
      order by p.created_at desc, p.email desc
      limit suppressions.max_rows);
  end if;
  return query
    select p.email, p.reason, p.created_at, p.added_by, n.id, e.detail
    from unnest(v_emails) with ordinality as l (email, place)
    join invite.suppressions as p on p.workspace_id = v_workspace and p.email = l.email
    left join lateral (
      select a.invitation_id as id
      from invite.addresses as a
      where a.workspace_id = v_workspace and a.email = p.email
      order by a.invitation_id desc
      limit 1
    ) as n on true
    left join lateral (
      select r.detail
      from invite.addresses as a
      join invite.relay_events as r on r.invitation_id = a.invitation_id
      where a.workspace_id = v_workspace and a.email = p.email and r.type in ('hard_bounce', 'complaint')
      order by r.occurred_at desc
      limit 1
    ) as e on p.reason in ('hard_bounce', 'complaint')
    order by l.place;
end
$$;
comment on function console.suppressions(bytea, text, text, text, integer) is
  'A page of a workspace''s do-not-email list, newest first, or by the first characters of the address.';
