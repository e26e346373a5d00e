/*
 * Judges each day of UTC that is over, once: it counts if it used half of the number or more, and the guard neither warned of the workspace nor
 * paused it. The second such day triples the number, and what waits is looked at again.
 *
 * workspace_id: a test workspace, at its own time. Null: all that are real.
 * Locks: the caps, by key (for no key update, skip locked: the next call judges the others).
 */
create or replace function invite.earn_caps(at timestamptz default null, workspace_id text default null) returns integer
language plpgsql volatile
as $$
declare
  v_today constant date := (invite.clock(earn_caps.at) at time zone 'UTC')::date;
  c invite.caps;
  v_before integer;
  v_start timestamptz;
  v_tripled integer := 0;
begin
  for c in
    select x.* from invite.caps as x
    join invite.workspaces as w on w.id = x.workspace_id
    where x.earned_until < v_today and (w.id = earn_caps.workspace_id or earn_caps.workspace_id is null and w.test_of is null)
    order by x.workspace_id, x.scope, x.domain
    for no key update of x skip locked
  loop
    v_before := c.earned_per_day;
    while c.earned_until < v_today loop
      v_start := c.earned_until::timestamp at time zone 'UTC';
      if 2 * (
          select coalesce(sum(s.used), 0) from invite.cap_slots as s
          where s.workspace_id = c.workspace_id and s.scope = c.scope and s.domain = c.domain
            and s.slot >= v_start and s.slot < v_start + interval '24 hours') >= c.earned_per_day
        and not exists (
          select from invite.audit_log as a
          where a.workspace_id = c.workspace_id and a.action in ('guard_warned', 'guard_paused')
            and a.at >= v_start and a.at < v_start + interval '24 hours')
      then
        c.earned_days := c.earned_days + 1;
      end if;
      if c.earned_days >= 2 then
        c.earned_per_day := least(c.earned_per_day * 3, 10000000);
        c.earned_days := 0;
      end if;
      c.earned_until := c.earned_until + 1;
    end loop;
    update invite.caps as x set earned_per_day = c.earned_per_day, earned_days = c.earned_days, earned_until = c.earned_until
    where x.workspace_id = c.workspace_id and x.scope = c.scope and x.domain = c.domain;
    if c.earned_per_day > v_before then
      v_tripled := v_tripled + 1;
      perform invite.record_audit(
        c.workspace_id, 'service', 'cap_changed', c.domain, jsonb_build_object('scope', 'sender', 'earned_per_day', c.earned_per_day));
      perform invite.queue_looks('requeue_workspace', json_build_object('workspace_id', c.workspace_id));
    end if;
  end loop;
  return v_tripled;
end
$$;
comment on function invite.earn_caps(timestamptz, text) is 'Raises what domains have earned, after each day. Returns how many it raised.';
