/*
 * Begins with 100 a day, from today on. What waits is looked at again.
 * Locks: the cap. Raises: P0002; 23514 as set_cap.
 */
create or replace function invite.set_earned_cap(workspace_id text, domain text, is_earned boolean, at timestamptz default null) returns boolean
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_domain constant text := lower(set_earned_cap.domain collate "C");
  v_now timestamptz;
begin
  perform invite.require_workspace(set_earned_cap.workspace_id);
  v_now := invite.clock_of(set_earned_cap.workspace_id, invite.owner_time(set_earned_cap.at));
  if set_earned_cap.is_earned then
    perform invite.require_own_domain(v_domain, set_earned_cap.workspace_id);
    insert into invite.caps as c (workspace_id, scope, domain, earned_per_day, earned_until)
    values (set_earned_cap.workspace_id, 'sender', v_domain, 100, (v_now at time zone 'UTC')::date)
    on conflict on constraint caps_pkey do update
    set earned_per_day = excluded.earned_per_day, earned_days = 0, earned_until = excluded.earned_until
    where c.earned_per_day is null;
  else
    delete from invite.caps as c
    where c.workspace_id = set_earned_cap.workspace_id and c.scope = 'sender' and c.domain = v_domain and c.earned_per_day is not null
      and num_nonnulls(c.per_hour, c.per_day, c.own_per_hour, c.own_per_day) = 0;
    if not found then
      update invite.caps as c set earned_per_day = null, earned_days = 0, earned_until = null
      where c.workspace_id = set_earned_cap.workspace_id and c.scope = 'sender' and c.domain = v_domain and c.earned_per_day is not null;
    end if;
  end if;
  if not found then
    return false;
  end if;
  perform invite.record_audit(
    set_earned_cap.workspace_id, invite.current_actor(), 'cap_changed', v_domain,
    jsonb_build_object('scope', 'sender', 'earned_per_day', case when set_earned_cap.is_earned then 100 end));
  perform invite.queue_looks('requeue_workspace', json_build_object('workspace_id', set_earned_cap.workspace_id));
  return true;
end
$$;
comment on function invite.set_earned_cap(text, text, boolean, timestamptz) is
  'Whether a domain that a workspace sends from has to earn how many of its emails may leave in a day. Returns false if nothing changed.';
