create type console.response_rate as (
  invited bigint, responded bigint, bounced bigint, invited_before bigint, responded_before bigint, bins jsonb
);
comment on type console.response_rate is
  'How many of the invitations that were sent in a period and didn''t bounce have a response, no matter when it came. invited: invitations sent '
  'that didn''t bounce. bounced: those that bounced, and have no response. …_before: of the period that it is compared with; null: there is '
  'none. bins: [{day, invited, responded}]. All null under a filter by answers, because invitations have no answers.';

/*
 * The arguments are those of result_summary. All invitations count. They are read from result_counts, or one by one under a filter by
 * metadata.
 */
create function console.response_rate(
  session_hash bytea, survey_id text, filter console.result_filter default null, zone text default 'UTC',
  first_day date default null, last_day date default null, before_first_day date default null, before_last_day date default null
) returns console.response_rate
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_rate console.response_rate;
  v_bins console.period_bins;
  v_compared constant boolean := response_rate.before_first_day is not null;
  v_counts jsonb;
begin
  perform console.require_survey_role(response_rate.session_hash, response_rate.survey_id, 'viewer');
  if (response_rate.filter).question is not null then
    return null;
  end if;
  v_bins := console.period_bins(
    response_rate.survey_id, response_rate.zone, response_rate.first_day, response_rate.last_day,
    response_rate.before_first_day, response_rate.before_last_day);
  if (response_rate.filter).metadata is null then
    v_counts := (
      select jsonb_agg(jsonb_build_object('bin', n.bin, 'sent', n.sent, 'responded', n.responded, 'bounced', n.bounced))
      from (
        select
          c.bin, sum(c.number) filter (where c.value = 'sent') as sent, sum(c.number) filter (where c.value = 'responded') as responded,
          sum(c.number) filter (where c.value = 'bounced') as bounced
        from console.count_by_time(response_rate.survey_id, v_bins.edges, '') as c
        group by c.bin
      ) as n);
  else
    v_counts := (select jsonb_agg(c) from console.count_sent(response_rate.survey_id, (response_rate.filter).metadata, v_bins.edges) as c);
  end if;

  select
    coalesce(sum(c.invited) filter (where c.bin > 2), 0), coalesce(sum(c.responded) filter (where c.bin > 2), 0),
    coalesce(sum(c.bounced) filter (where c.bin > 2), 0),
    case when v_compared then coalesce(sum(c.invited) filter (where c.bin = 1), 0) end,
    case when v_compared then coalesce(sum(c.responded) filter (where c.bin = 1), 0) end,
    jsonb_agg(jsonb_build_object('day', c.day, 'invited', c.invited, 'responded', c.responded) order by c.day) filter (where c.bin > 2)
  into v_rate
  from (
    select
      p.place as bin, v_bins.starts[p.place - 2] as day, coalesce(n.responded, 0) as responded, coalesce(n.bounced, 0) as bounced,
      coalesce(n.sent, 0) - coalesce(n.bounced, 0) as invited
    from generate_series(1, cardinality(v_bins.starts) + 2) as p (place)
    left join jsonb_to_recordset(v_counts) as n (bin integer, sent bigint, responded bigint, bounced bigint) on n.bin = p.place
  ) as c;
  return v_rate;
end
$$;
comment on function console.response_rate(bytea, text, console.result_filter, text, date, date, date, date) is
  'The response rate of a survey: of all invitations that were sent in a period.';
