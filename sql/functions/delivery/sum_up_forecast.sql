/*
 * By the hour if all leaves within three days, else by the day. An unknown time zone is UTC.
 */
create or replace function invite.sum_up_forecast(
  messages invite.pending_message[], workspace invite.workspaces, time_zone text, at timestamptz
) returns invite.forecast
language plpgsql stable
as $$
declare
  v_zone constant text := invite.zone_of(sum_up_forecast.time_zone);
  v_forecast invite.forecast;
begin
  with messages as materialized (
    select m.leaves_at, m.planned_at, m.reason
    from unnest(sum_up_forecast.messages) as m
  ),
  span as (
    select case when max(m.leaves_at) > sum_up_forecast.at + interval '3 days' then 'day' else 'hour' end as unit from messages as m
  )
  select
    count(*), count(*) filter (where m.leaves_at <= sum_up_forecast.at), count(*) filter (where m.leaves_at > sum_up_forecast.at),
    count(*) filter (where m.reason in ('survey_ended', 'link_expired', 'too_late', 'rests_too_long', 'opens_too_late', 'capped_too_long')),
    count(*) filter (where m.leaves_at > m.planned_at), max(m.leaves_at) filter (where m.leaves_at > m.planned_at),
    case when sum_up_forecast.workspace.test_of is null then
      ceil(count(*) filter (where m.leaves_at <= sum_up_forecast.at) / (invite.sending_now(sum_up_forecast.at)).rate)
    end,
    (select s.unit from span as s), v_zone,
    (
      select coalesce(
        jsonb_agg(
          jsonb_build_object(
            'at', to_char(b.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), 'local', to_char(b.at at time zone v_zone, 'YYYY-MM-DD HH24:MI'),
            'emails', b.emails)
          order by b.at),
        '[]')
      from (
        select date_trunc(s.unit, o.leaves_at, v_zone) as at, count(*) as emails
        from messages as o cross join span as s where o.leaves_at is not null group by 1
      ) as b
    ),
    (
      select coalesce(jsonb_agg(jsonb_build_object('reason', r.reason, 'emails', r.emails) order by r.emails desc, r.reason), '[]')
      from (select o.reason, count(*) as emails from messages as o where o.reason is not null group by 1) as r
    )
  into v_forecast
  from messages as m;
  return v_forecast;
end
$$;
comment on function invite.sum_up_forecast(invite.pending_message[], invite.workspaces, text, timestamptz) is
  'What of these messages, which a forecast has looked at, will leave when, and what won''t, and why.';
