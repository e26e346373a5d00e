create or replace function invite.set_retention(what invite.retained, days integer) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before integer := (select r.days from invite.retention as r where r.what = set_retention.what);
begin
  update invite.retention as r set days = set_retention.days where r.what = set_retention.what and r.days is distinct from set_retention.days;
  if found then
    perform invite.record_audit(
      null, invite.current_actor(), 'retention_changed', set_retention.what::text, jsonb_build_object('from', v_before, 'to', set_retention.days));
  end if;
end
$$;
comment on function invite.set_retention(invite.retained, integer) is 'Sets for how many days something is kept; null: it is never deleted.';
