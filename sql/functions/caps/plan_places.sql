/*
 * Each place, in the order of the list: what was promised for this hour is used, unless a cap was lowered, or a workspace that shares it came in
 * between. All others get the first hour in which each cap that counts them has room, at a time at which their hours are open.
 *
 * Of an hour, batches of more than ten recipients get at most nine tenths. Their emails are spread evenly over what is left of it: with 900 for them
 * and 30 minutes gone, 450 leave, 15 a minute. Of a shared cap, each workspace that has places in an hour may have an equal part, and the rest of what the
 * others leave free: so places that one workspace was promised alone go to others that come, and are promised again.
 *
 * Counts stand in arrays: of cap c in hour h (from v_origin, the start of a day) at h * v_caps + c, of a day likewise.
 *
 * released: what fold_releases would take off the hours now (released_places).
 * planned: the places, with until. changes: what a caller that takes them adds to cap_slots (count_places).
 * Reads what is committed: a caller that takes them has locked the caps. Pins: lookup plan.
 */
create or replace function invite.plan_places(
  workspace invite.workspaces, places invite.place[], released invite.cap_slots[] default '{}', out planned invite.place[],
  out changes invite.cap_slots[]
)
language plpgsql stable
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
declare
  w constant invite.workspaces := workspace;
  c_hour constant interval := '1 hour';
  v_scopes invite.cap_scope[];
  v_domains text[];
  v_per_hour integer[];
  v_per_day integer[];
  v_caps integer;
  v_origin timestamptz;
  -- By hour: places given, places lost, attempts, and what other workspaces have of a shared cap.
  v_large integer[] := '{}'; v_small integer[] := '{}'; v_lost integer[] := '{}'; v_used integer[] := '{}'; v_others integer[] := '{}';
  v_day_large integer[] := '{}'; v_day_all integer[] := '{}'; v_day_used integer[] := '{}'; v_day_others integer[] := '{}';
  -- What changes.
  v_new_large integer[] := '{}'; v_new_small integer[] := '{}'; v_new_lost integer[] := '{}'; v_new_used integer[] := '{}'; v_touched integer[] := '{}';
  -- By group: from when on there may be room. Emails of a group are counted by the same caps and open at the same time.
  v_free_from timestamptz[] := '{}';
  r record;
  p invite.place;
  v_step record;
  v_counted integer[];
  v_from timestamptz;
  v_next timestamptz;
  v_at timestamptz;
  v_hour integer; v_minute integer; v_first_minute integer;
  v_limit integer; v_place integer; v_room integer; v_day_room integer;
  c integer; i integer; d integer;
  v_is_kept boolean;
  v_is_used boolean;
begin
  select array_agg(x.scope order by x.scope, x.domain), array_agg(x.domain order by x.scope, x.domain), array_agg(x.per_hour order by x.scope, x.domain),
    array_agg(x.per_day order by x.scope, x.domain)
  into v_scopes, v_domains, v_per_hour, v_per_day
  from invite.caps_of(w, array(select distinct y.recipient_domain from unnest(plan_places.places) as y)) as x;
  v_caps := coalesce(cardinality(v_scopes), 0);
  v_origin := date_trunc('day', (select min(y.look_at) from unnest(plan_places.places) as y), 'UTC');
  planned := '{}';

  for r in
    select k.n, (extract(epoch from s.slot - v_origin) / 3600)::integer as hour, s.used,
      case when f.slot is null then s.large else greatest(s.large - f.large, 0) end as large,
      case when f.slot is null then s.small else greatest(s.small - f.small, 0) end as small,
      case when f.slot is null then s.lost else 0 end as lost
    from unnest(v_scopes, v_domains) with ordinality as k (scope, domain, n)
    join invite.cap_slots as s on s.workspace_id = w.id and s.scope = k.scope and s.domain = k.domain and s.slot >= v_origin
    left join unnest(plan_places.released) as f on f.scope = s.scope and f.domain = s.domain and f.slot = s.slot
    order by 2, 1
  loop
    i := r.hour * v_caps + r.n;
    d := r.hour / 24 * v_caps + r.n;
    v_large[i] := r.large; v_small[i] := r.small; v_lost[i] := r.lost; v_used[i] := r.used;
    v_day_large[d] := coalesce(v_day_large[d], 0) + r.large;
    v_day_all[d] := coalesce(v_day_all[d], 0) + r.large + r.small;
    v_day_used[d] := coalesce(v_day_used[d], 0) + r.used;
  end loop;
  if 'shared' = any (v_scopes) then
    for r in
      with theirs as (
        select k.n, s.slot, s.workspace_id, s.large + s.small as places, s.used
        from unnest(v_scopes, v_domains) with ordinality as k (scope, domain, n)
        join invite.cap_slots as s on k.scope = 'shared' and s.scope = 'shared' and s.domain = k.domain and s.slot >= v_origin and s.workspace_id <> w.id
      ),
      spans as (
        select t.n, 1 as hours, t.slot as starts_at, t.workspace_id, t.places, t.used, v_per_hour[t.n] as per_span from theirs as t
        union all
        select t.n, 24, date_trunc('day', t.slot, 'UTC'), t.workspace_id, sum(t.places), sum(t.used), v_per_day[t.n]
        from theirs as t where v_per_day[t.n] is not null group by 1, 3, 4
      )
      select
        x.n, x.hours, (extract(epoch from x.starts_at - v_origin) / 3600 / x.hours)::integer as span,
        greatest(sum(least(x.places, x.per_span / (x.workspaces + 1))), sum(x.used))::integer as taken
      from (
        select s.*, count(*) filter (where s.places > 0) over (partition by s.n, s.hours, s.starts_at) as workspaces from spans as s
      ) as x
      group by 1, 2, 3
    loop
      i := r.span * v_caps + r.n;
      if r.hours = 1 then
        v_others[i] := r.taken;
      else
        v_day_others[i] := r.taken;
      end if;
    end loop;
  end if;

  -- What is void is void for all: an earlier message of the list may get the place.
  for r in
    select (extract(epoch from date_trunc('hour', y.promised_at, 'UTC') - v_origin) / 3600)::integer as hour, k.n::integer as n,
      count(*) filter (where not y.is_small)::integer as large, count(*) filter (where y.is_small)::integer as small
    from unnest(plan_places.places) as y
    cross join unnest(v_scopes, v_domains) with ordinality as k (scope, domain, n)
    where y.promised_at >= v_origin and (y.promised_at > y.look_at or date_trunc('hour', y.promised_at, 'UTC') <> date_trunc('hour', y.look_at, 'UTC'))
      and invite.is_counted(k.scope, k.domain, y)
    group by 1, 2
  loop
    i := r.hour * v_caps + r.n;
    d := r.hour / 24 * v_caps + r.n;
    v_touched := v_touched || i;
    v_new_large[i] := -r.large; v_new_small[i] := -r.small; v_new_lost[i] := 0; v_new_used[i] := 0;
    v_large[i] := greatest(coalesce(v_large[i], 0) - r.large, 0);
    v_small[i] := greatest(coalesce(v_small[i], 0) - r.small, 0);
    v_day_large[d] := greatest(coalesce(v_day_large[d], 0) - r.large, 0);
    v_day_all[d] := greatest(coalesce(v_day_all[d], 0) - r.large - r.small, 0);
  end loop;

  for r in
    select x.place, x.counted, dense_rank() over (order by x.counted, (x.place).zone, (x.place).is_small) as group_number
    from (
      select y.place, k.counted, y.n
      from (select row(z.invitation_id, z.number, z.look_at, z.leave_by, z.promised_at, z.until, z.sender_domain, z.recipient_domain, z.zone,
              z.is_small, z.is_forced)::invite.place as place, z.ordinality as n
        from unnest(plan_places.places) with ordinality as z) as y
      cross join lateral (
        select coalesce(array_agg(q.n::integer order by q.n), '{}') as counted
        from unnest(v_scopes, v_domains) with ordinality as q (scope, domain, n)
        where invite.is_counted(q.scope, q.domain, y.place)
      ) as k
    ) as x
    order by x.n
  loop
    p := r.place;
    v_counted := r.counted;
    p.until := p.look_at;
    if v_counted = '{}' then
      planned := planned || p;
      continue;
    end if;
    v_hour := floor(extract(epoch from p.look_at - v_origin) / 3600);

    if p.promised_at <= p.look_at and floor(extract(epoch from p.promised_at - v_origin) / 3600) = v_hour then
      v_is_kept := true;
      if not p.is_forced then
        foreach c in array v_counted loop
          i := v_hour * v_caps + c;
          d := v_hour / 24 * v_caps + c;
          v_is_kept := v_is_kept
            and coalesce(v_used[i], 0) < v_per_hour[c] - coalesce(v_others[i], 0)
            and (v_per_day[c] is null or coalesce(v_day_used[d], 0) < v_per_day[c] - coalesce(v_day_others[d], 0));
        end loop;
      end if;
      foreach c in array v_counted loop
        i := v_hour * v_caps + c;
        d := v_hour / 24 * v_caps + c;
        if v_new_used[i] is null then
          v_touched := v_touched || i;
          v_new_large[i] := 0; v_new_small[i] := 0; v_new_lost[i] := 0; v_new_used[i] := 0;
        end if;
        if v_is_kept then
          v_used[i] := coalesce(v_used[i], 0) + 1;
          v_new_used[i] := v_new_used[i] + 1;
          v_day_used[d] := coalesce(v_day_used[d], 0) + 1;
        elsif p.is_small then
          v_small[i] := greatest(coalesce(v_small[i], 0) - 1, 0);
          v_new_small[i] := v_new_small[i] - 1;
          v_day_all[d] := greatest(coalesce(v_day_all[d], 0) - 1, 0);
        else
          v_large[i] := greatest(coalesce(v_large[i], 0) - 1, 0);
          v_new_large[i] := v_new_large[i] - 1;
          v_day_all[d] := greatest(coalesce(v_day_all[d], 0) - 1, 0);
          v_day_large[d] := greatest(coalesce(v_day_large[d], 0) - 1, 0);
        end if;
      end loop;
      if v_is_kept then
        planned := planned || p;
        continue;
      end if;
    end if;

    v_from := case when p.is_forced then p.look_at else greatest(p.look_at, v_free_from[r.group_number]) end;
    v_at := null;
    while v_at is null loop
      v_hour := floor(extract(epoch from v_from - v_origin) / 3600);
      v_first_minute := floor(extract(epoch from v_from - v_origin) / 60)::integer - v_hour * 60;
      v_minute := v_first_minute;
      v_next := null;
      foreach c in array case when not p.is_forced then v_counted else '{}' end loop
        i := v_hour * v_caps + c;
        d := v_hour / 24 * v_caps + c;
        v_room := v_per_hour[c] - coalesce(v_others[i], 0);
        v_day_room := v_per_day[c] - coalesce(v_day_others[d], 0);
        if p.is_small then
          v_limit := v_room - coalesce(v_large[i], 0);
          v_place := coalesce(v_small[i], 0);
        else
          v_limit := least(v_room - v_room / 10, v_room - coalesce(v_small[i], 0));
          v_place := greatest(coalesce(v_large[i], 0) + coalesce(v_lost[i], 0), v_first_minute * v_limit / 60);
        end if;
        if coalesce(v_day_all[d], 0) >= v_day_room or not p.is_small and coalesce(v_day_large[d], 0) >= v_day_room - v_day_room / 10 then
          v_next := greatest(v_next, v_origin + (v_hour / 24 + 1) * 24 * c_hour);
        elsif v_place >= v_limit then
          v_next := greatest(v_next, v_origin + (v_hour + 1) * c_hour);
        else
          v_minute := greatest(v_minute, v_place * 60 / v_limit);
        end if;
      end loop;
      v_at := case
        when v_from > p.look_at + 8784 * c_hour then 'infinity'
        when v_next is not null then null
        when v_minute = v_first_minute then v_from
        else v_origin + v_hour * c_hour + v_minute * interval '1 minute'
      end;
      if v_at < 'infinity' and p.zone is not null and not p.is_forced then
        v_next := coalesce(invite.next_open(w.open_hours, w.closed_days, p.zone, v_at), 'infinity');
        v_at := case when v_next in (v_at, 'infinity') then v_next end;
      end if;
      v_from := coalesce(case when v_at is null then v_next end, v_from);
    end loop;
    p.until := v_at;
    planned := planned || p;
    continue when v_at = 'infinity' or v_at > p.leave_by and v_at > p.look_at + interval '30 seconds';

    v_free_from[r.group_number] := case when not p.is_forced then v_from end;
    v_is_used := v_at <= p.look_at;
    foreach c in array v_counted loop
      i := v_hour * v_caps + c;
      d := v_hour / 24 * v_caps + c;
      if v_new_used[i] is null then
        v_touched := v_touched || i;
        v_new_large[i] := 0; v_new_small[i] := 0; v_new_lost[i] := 0; v_new_used[i] := 0;
      end if;
      if p.is_small then
        v_small[i] := coalesce(v_small[i], 0) + 1;
        v_new_small[i] := v_new_small[i] + 1;
      else
        v_room := v_per_hour[c] - coalesce(v_others[i], 0);
        v_place := v_first_minute * least(v_room - v_room / 10, v_room - coalesce(v_small[i], 0)) / 60
          - coalesce(v_large[i], 0) - coalesce(v_lost[i], 0);
        if v_place > 0 then
          v_lost[i] := coalesce(v_lost[i], 0) + v_place;
          v_new_lost[i] := v_new_lost[i] + v_place;
        end if;
        v_large[i] := coalesce(v_large[i], 0) + 1;
        v_new_large[i] := v_new_large[i] + 1;
        v_day_large[d] := coalesce(v_day_large[d], 0) + 1;
      end if;
      v_day_all[d] := coalesce(v_day_all[d], 0) + 1;
      if v_is_used then
        v_used[i] := coalesce(v_used[i], 0) + 1;
        v_new_used[i] := v_new_used[i] + 1;
        v_day_used[d] := coalesce(v_day_used[d], 0) + 1;
      end if;
    end loop;
  end loop;

  foreach i in array v_touched loop
    c := (i - 1) % v_caps + 1;
    changes := changes || row(
      w.id, v_scopes[c], v_domains[c], v_origin + (i - 1) / v_caps * c_hour, v_new_large[i], v_new_small[i], v_new_lost[i], v_new_used[i])::invite.cap_slots;
  end loop;
end
$$;
comment on function invite.plan_places(invite.workspaces, invite.place[], invite.cap_slots[]) is
  'When emails of a workspace may leave under its caps, and what of the caps'' hours they take.';
