/*
 * Locks: the row of what is kept. Raises: 23514 retention_days_rest if batches would be kept for less than a workspace's rest, because that is
 * looked up in them.
 */
create or replace function invite.set_retention(what invite.retained, days integer) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before integer := (select r.days from invite.retention as r where r.what = set_retention.what);
begin
  update invite.retention as r set days = set_retention.days where r.what = set_retention.what and r.days is distinct from set_retention.days;
  if found then
    if set_retention.what = 'batches' and exists (select from invite.workspaces as w where w.rest_days > set_retention.days) then
      raise exception 'a workspace has a longer rest'
        using errcode = '23514', constraint = 'retention_days_rest', table = 'retention', schema = 'invite';
    end if;
    perform invite.record_audit(
      null, invite.current_actor(), 'retention_changed', set_retention.what::text, jsonb_build_object('from', v_before, 'to', set_retention.days));
  end if;
end
$$;
comment on function invite.set_retention(invite.retained, integer) is 'Sets for how many days something is kept; null: it is never deleted.';
