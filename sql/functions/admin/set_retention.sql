/*
 * What is kept for a shorter time than now is kept as before for another day, in which it can be set back: see the view due_for_deletion.
 *
 * Locks: the row of what is kept. Raises: 23514 retention_days_rest if batches would be kept for less than a workspace's rest, because that is
 * looked up in them.
 */
create or replace function invite.set_retention(what invite.retained, days integer) returns timestamptz
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_setting invite.retention;
  v_now timestamptz;
  v_current integer;
begin
  select r.* into v_setting from invite.retention as r where r.what = set_retention.what for update;
  if v_setting.days is distinct from set_retention.days then
    v_now := invite.clock();
    v_current := invite.kept_days(v_setting, v_now);
    update invite.retention as r
    set days = set_retention.days, previous_days = v_current,
      effective_at = case when set_retention.days < coalesce(v_current, 2147483647) then v_now + interval '1 day' else '-infinity' end
    where r.what = set_retention.what
    returning r.* into v_setting;
    if set_retention.what = 'batches' and exists (select from invite.workspaces as w where w.rest_days > set_retention.days) then
      raise exception 'a workspace has a longer rest (retention_days_rest)'
        using errcode = '23514', constraint = 'retention_days_rest', table = 'retention', schema = 'invite';
    end if;
    perform invite.record_audit(
      null, invite.current_actor(), 'retention_changed', set_retention.what::text, jsonb_build_object('from', v_current, 'to', set_retention.days));
  end if;
  return nullif(v_setting.effective_at, '-infinity');
end
$$;
comment on function invite.set_retention(invite.retained, integer) is
  'Sets for how many days something is kept; null: it is never deleted. Returns from when on that holds, null: at once.';
