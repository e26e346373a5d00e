/*
 * own: the owners' number instead of the operator's; the lower of both holds. domain: in any case; empty for the scope workspace. Null numbers: no limit.
 * What waits is looked at again at once, and gets other places.
 *
 * Locks: the cap. Raises: P0002; 23514 of caps if a number or the domain is out of range, caps_sender_own if another workspace sends from the domain too.
 */
create or replace function invite.set_cap(
  workspace_id text, scope invite.cap_scope, domain text, per_hour integer, per_day integer, own boolean default false
) returns boolean
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_domain constant text := lower(coalesce(set_cap.domain, '') collate "C");
  v_old invite.caps;
  v_new invite.caps;
begin
  perform invite.require_workspace(set_cap.workspace_id);
  select c.* into v_old from invite.caps as c
  where c.workspace_id = set_cap.workspace_id and c.scope = set_cap.scope and c.domain = v_domain
  for no key update;
  v_new := v_old;
  v_new.workspace_id := set_cap.workspace_id;
  v_new.scope := set_cap.scope;
  v_new.domain := v_domain;
  if set_cap.own then
    v_new.own_per_hour := set_cap.per_hour;
    v_new.own_per_day := set_cap.per_day;
  else
    v_new.per_hour := set_cap.per_hour;
    v_new.per_day := set_cap.per_day;
  end if;
  if v_new is not distinct from v_old or v_old.workspace_id is null and num_nonnulls(set_cap.per_hour, set_cap.per_day) = 0 then
    return false;
  end if;
  if set_cap.scope = 'sender' and v_old.workspace_id is null then
    perform invite.require_own_domain(v_domain, v_new.workspace_id);
  end if;
  if num_nonnulls(v_new.per_hour, v_new.per_day, v_new.own_per_hour, v_new.own_per_day, v_new.earned_per_day) = 0 then
    delete from invite.caps as c where c.workspace_id = v_new.workspace_id and c.scope = v_new.scope and c.domain = v_domain;
  else
    insert into invite.caps as c (workspace_id, scope, domain, per_hour, per_day, own_per_hour, own_per_day)
    values (v_new.workspace_id, v_new.scope, v_domain, v_new.per_hour, v_new.per_day, v_new.own_per_hour, v_new.own_per_day)
    on conflict on constraint caps_pkey do update
    set per_hour = excluded.per_hour, per_day = excluded.per_day, own_per_hour = excluded.own_per_hour, own_per_day = excluded.own_per_day;
  end if;
  perform invite.record_audit(
    v_new.workspace_id, invite.current_actor(), 'cap_changed', nullif(v_domain, ''),
    jsonb_build_object('scope', v_new.scope, 'own', set_cap.own, 'per_hour', set_cap.per_hour, 'per_day', set_cap.per_day));
  perform invite.queue_looks('requeue_workspace', json_build_object('workspace_id', v_new.workspace_id));
  return true;
end
$$;
comment on function invite.set_cap(text, invite.cap_scope, text, integer, integer, boolean) is
  'Sets how many emails of a workspace may leave in an hour and in a day. Returns false if nothing changed.';
