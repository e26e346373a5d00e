/*
 * Steps to the time at which the local clock should show the next opening, at most to local midnight. If the clock shows it then, it wasn't changed
 * on the way, because no clock is changed twice within a day: so all that was skipped is closed. If it was changed, steps by a quarter of an hour.
 * Since 1980 all clocks differ from UTC by whole quarters, so they all show quarters at the same time. Where clocks are changed at 00:01, an opening
 * may be found up to 14 minutes late.
 */
create or replace function invite.next_open(open_hours int4multirange, closed_days datemultirange, time_zone text, at timestamptz) returns timestamptz
language plpgsql stable parallel safe
as $$
declare
  v_at timestamptz := next_open.at;
  v_local timestamp;
  v_minute integer;
  v_midnight integer;
  v_step interval;
  v_next timestamptz;
begin
  if next_open.open_hours is null and next_open.closed_days is null then
    return v_at;
  end if;
  while isfinite(v_at) loop
    v_local := v_at at time zone next_open.time_zone;
    -- Of the week: 1970 began on a Thursday.
    v_minute := (floor(date_part('epoch', v_local) / 60)::bigint + 4320) % 10080;
    if (next_open.open_hours is null or next_open.open_hours @> v_minute)
      and (next_open.closed_days is null or not next_open.closed_days @> v_local::date)
    then
      return v_at;
    end if;

    v_midnight := v_minute / 1440 * 1440 + 1440;
    v_step := interval '1 minute' * (coalesce(
      case
        when next_open.closed_days @> v_local::date then null
        else lower(next_open.open_hours * int4multirange(int4range(v_minute, v_midnight)))
      end, v_midnight) - v_minute);
    v_next := date_bin('15 minutes', v_at + v_step, to_timestamp(0));
    if v_next at time zone next_open.time_zone <> date_trunc('minute', v_local) + v_step then
      v_next := date_bin('15 minutes', v_at + interval '15 minutes', to_timestamp(0));
    end if;
    exit when v_next > next_open.at + interval '8784 hours';
    v_at := v_next;
  end loop;
  return null;
end
$$;
comment on function invite.next_open(int4multirange, datemultirange, text, timestamptz) is
  'When it is next open: at itself, or the first quarter of an hour that is. Null: not within 366 days, or no time zone.';
