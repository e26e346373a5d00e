/*
 * Rejections with an unknown secret are left out, because they belong to no workspace that could see them. Those of a deleted token
 * and of a replaced secret count: the token's page shows that it is still used.
 *
 * rejections: [{"secret_hash": "\x…", "code", "rejected", "age_seconds", "detail"?}], each secret and code once. Ages are passed instead of
 * times, because the servers' clocks may differ, and because counts that wait for the database keep their hour.
 *
 * Locks: the rows in the order of their key, so that servers do not deadlock; for an hour's first count the token's row (for key share),
 * which holds up no request.
 */
create or replace function invite.record_rejections(rejections jsonb, at timestamptz default null) returns void
language sql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
  insert into invite.rejections as r (trigger_token_id, hour, code, rejected, last_at, last_detail)
  select t.id, date_trunc('hour', a.last_at, 'UTC'), n.code, n.rejected, a.last_at, n.detail
  from jsonb_to_recordset(record_rejections.rejections) as n (
    secret_hash bytea, code text, rejected integer, age_seconds double precision, detail text)
  cross join lateral invite.tokens_of(n.secret_hash, true) as t
  cross join lateral (
    select invite.clock(invite.owner_time(record_rejections.at)) - n.age_seconds * interval '1 second' as last_at
  ) as a
  order by t.id, 2, n.code
  on conflict on constraint rejections_pkey do update
  set
    rejected = r.rejected + excluded.rejected,
    last_at = greatest(r.last_at, excluded.last_at),
    last_detail = case when excluded.last_at >= r.last_at then excluded.last_detail else r.last_detail end
$$;
comment on function invite.record_rejections(jsonb, timestamptz) is 'Adds to the counts of rejected requests; leaves out unknown secrets.';
