/*
 * domain: in any case. Without numbers, the cap goes. What waits for it is looked at again at once.
 * Locks: the cap. Raises: 23514 of shared_caps.
 */
create or replace function invite.set_shared_cap(domain text, per_hour integer, per_day integer) returns boolean
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_domain constant text := lower(set_shared_cap.domain collate "C");
begin
  if num_nonnulls(set_shared_cap.per_hour, set_shared_cap.per_day) = 0 then
    delete from invite.shared_caps as c where c.domain = v_domain;
  else
    insert into invite.shared_caps as c (domain, per_hour, per_day) values (v_domain, set_shared_cap.per_hour, set_shared_cap.per_day)
    on conflict on constraint shared_caps_pkey do update
    set per_hour = excluded.per_hour, per_day = excluded.per_day
    where (c.per_hour, c.per_day) is distinct from (excluded.per_hour, excluded.per_day);
  end if;
  if not found then
    return false;
  end if;
  perform invite.record_audit(
    null, invite.current_actor(), 'cap_changed', v_domain,
    jsonb_build_object('scope', 'shared', 'per_hour', set_shared_cap.per_hour, 'per_day', set_shared_cap.per_day));
  perform invite.queue_looks('requeue_workspace', json_build_object('workspace_id', w.id))
  from (
    select distinct s.workspace_id as id
    from invite.cap_slots as s
    where s.scope = 'shared' and s.domain = v_domain and s.slot > invite.clock() - interval '1 hour'
    order by 1
  ) as w;
  return true;
end
$$;
comment on function invite.set_shared_cap(text, integer, integer) is
  'Sets how many emails of all workspaces together may leave to a domain in an hour and in a day. Returns false if nothing changed.';
