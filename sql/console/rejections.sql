create type console.rejection as (
  token_id uuid, token_name text, secret_hint text, deleted boolean, code text, rejected_day integer, rejected_week integer,
  last_at timestamptz, last_detail text
);
comment on type console.rejection is 'The rejected requests of a token with one code, in the last 24 hours and in the last week.';

/*
 * Includes deleted tokens that are still used.
 */
create function console.rejections(
  session_hash bytea, survey_id text, token_id uuid default null, max_rows integer default 50, at timestamptz default null
) returns setof console.rejection
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_now timestamptz := invite.now(invite.owner_time(rejections.at));
begin
  perform console.require_survey_role(rejections.session_hash, rejections.survey_id, 'editor');
  return query
    select
      t.id, t.name, t.secret_hint, t.deleted_at is not null, r.code,
      coalesce(sum(r.rejected) filter (where r.hour > v_now - interval '24 hours'), 0)::integer,
      sum(r.rejected)::integer,
      max(r.last_at),
      (array_agg(r.last_detail order by r.last_at desc))[1]
    from invite.trigger_tokens as t
    join invite.rejections as r on r.trigger_token_id = t.id and r.hour > v_now - interval '7 days'
    where t.survey_id = rejections.survey_id
      and (rejections.token_id is null or t.id = rejections.token_id)
    group by t.id, r.code
    order by max(r.last_at) desc, t.id, r.code
    limit rejections.max_rows;
end
$$;
comment on function console.rejections(bytea, text, uuid, integer, timestamptz) is
  'Rejected requests of the last week by token and code, for editors, admins and owners.';
