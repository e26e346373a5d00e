create type console.response_rate as (
  invited bigint, responded bigint, bounced bigint, recent bigint, invited_before bigint, responded_before bigint, points jsonb, rated_since timestamptz
);
comment on type console.response_rate is
  'How many of the invitations that were sent in a period, at least three days ago, and didn''t bounce have a response, no matter when it came. '
  'invited: those that didn''t bounce. recent: those that were sent later, and count nowhere else. bounced: those that bounced, and have no response. …_before: of the period that it is compared with; null: there is '
  'none. points: [{first, last, invited, responded, low, high}], the trend as in result_summary; low, high: the interval of the share. All null under a filter by answers, because invitations have no answers. rated_since: the numbers cover '
  'invitations that were accepted since; null: all.';

/*
 * The arguments are those of result_summary. max_rated: how many invitations a filter's numbers cover at most, the newest, because they are read one by
 * one. The period before is left out if they don't cover all of it.
 */
create function console.response_rate(
  session_hash bytea, survey_id text, filter console.result_filter default null, zone text default 'UTC',
  first_day date default null, last_day date default null, before_first_day date default null, before_last_day date default null,
  at timestamptz default null, max_rated integer default 100000
) returns console.response_rate
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
set max_parallel_workers_per_gather = 0
as $$
declare
  v_rate console.response_rate;
  v_bins console.period_bins;
  v_compared boolean := response_rate.before_first_day is not null;
  v_until timestamptz;
  v_edges timestamptz[];
  v_sent jsonb;
  v_since timestamptz;
begin
  v_until := console.rated_until(invite.now_of(
    (console.require_survey_role(response_rate.session_hash, response_rate.survey_id, 'viewer')).workspace_id, invite.owner_time(response_rate.at)));
  if console.filters_answers(response_rate.filter) then
    return null;
  end if;
  v_bins := console.period_bins(
    response_rate.survey_id, response_rate.zone, response_rate.first_day, response_rate.last_day,
    response_rate.before_first_day, response_rate.before_last_day);
  -- Bins end where invitations are too young, so that one scan counts both.
  v_edges := array(select distinct e.at from unnest(v_bins.edges || v_until) as e (at) order by e.at);
  if (response_rate.filter).conditions is not null then
    v_since := console.newest_since(
      response_rate.survey_id, least(v_until, v_bins.edges[cardinality(v_bins.edges)]), response_rate.max_rated);
    v_compared := v_compared and coalesce(v_since <= v_bins.edges[1], true);
  end if;
  v_sent := (
    select jsonb_agg(jsonb_build_object(
      'bin', width_bucket(v_edges[n.bin], v_bins.edges), 'recent', v_edges[n.bin] >= v_until, 'sent', n.sent, 'responded', n.responded, 'bounced', n.bounced))
    from jsonb_to_recordset(console.count_invited(response_rate.survey_id, (response_rate.filter).conditions, v_edges, v_since))
      as n (bin integer, sent bigint, responded bigint, bounced bigint));

  select
    coalesce(sum(c.invited) filter (where c.bin > 2), 0), coalesce(sum(c.responded) filter (where c.bin > 2), 0),
    coalesce(sum(c.bounced) filter (where c.bin > 2), 0), coalesce(sum(c.recent) filter (where c.bin > 2), 0),
    case when v_compared then coalesce(sum(c.invited) filter (where c.bin = 1), 0) end,
    case when v_compared then coalesce(sum(c.responded) filter (where c.bin = 1), 0) end,
    console.summarize_rates(jsonb_agg(jsonb_build_object('invited', c.invited, 'responded', c.responded) order by c.bin) filter (where c.bin > 2)),
    v_since
  into v_rate
  from (
    select
      p.place as bin, coalesce(sum(n.sent - coalesce(n.bounced, 0)) filter (where not n.recent), 0) as invited,
      coalesce(sum(n.responded) filter (where not n.recent), 0) as responded, coalesce(sum(n.bounced) filter (where not n.recent), 0) as bounced,
      coalesce(sum(n.sent) filter (where n.recent), 0) as recent
    from generate_series(1, cardinality(v_bins.starts) + 2) as p (place)
    left join jsonb_to_recordset(v_sent) as n (bin integer, recent boolean, sent bigint, responded bigint, bounced bigint) on n.bin = p.place
    group by p.place
  ) as c;
  return v_rate;
end
$$;
comment on function console.response_rate(bytea, text, console.result_filter, text, date, date, date, date, timestamptz, integer) is
  'The response rate of a survey: of the invitations that were sent in a period.';
