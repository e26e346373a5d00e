/*
 * Raises: 23514 of guard_limits if a value is out of range.
 */
create or replace function invite.set_guard_limit(
  outcome invite.invitation_outcome, hours integer, warn_share numeric, pause_share numeric, min_sent integer, min_reports integer
) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_detail constant jsonb := jsonb_build_object(
    'warn', set_guard_limit.warn_share, 'pause', set_guard_limit.pause_share, 'min_sent', set_guard_limit.min_sent,
    'min_reports', set_guard_limit.min_reports);
begin
  if set_guard_limit.pause_share is null then
    delete from invite.guard_limits as l where l.outcome = set_guard_limit.outcome and l.hours = set_guard_limit.hours;
  else
    insert into invite.guard_limits as l (outcome, hours, warn_share, pause_share, min_sent, min_reports)
    values (
      set_guard_limit.outcome, set_guard_limit.hours, set_guard_limit.warn_share, set_guard_limit.pause_share, set_guard_limit.min_sent,
      set_guard_limit.min_reports)
    on conflict on constraint guard_limits_pkey do update
    set warn_share = excluded.warn_share, pause_share = excluded.pause_share, min_sent = excluded.min_sent, min_reports = excluded.min_reports
    where (l.warn_share, l.pause_share, l.min_sent, l.min_reports)
      is distinct from (excluded.warn_share, excluded.pause_share, excluded.min_sent, excluded.min_reports);
  end if;
  if found then
    perform invite.record_audit(
      null, invite.current_actor(), 'guard_limit_changed', set_guard_limit.outcome || ' ' || set_guard_limit.hours || ' h', v_detail);
  end if;
end
$$;
comment on function invite.set_guard_limit(invite.invitation_outcome, integer, numeric, numeric, integer, integer) is
  'Sets a limit of the guard for the installation. Without a share to pause at, the limit goes.';
