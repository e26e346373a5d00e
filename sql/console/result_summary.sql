create type console.result_summary as (
  responses bigint, scanned integer, first_at timestamptz, last_at timestamptz, days jsonb, answers jsonb,
  invited integer, responded integer, sent_days jsonb, sent_capped boolean, bounced integer
);
comment on type console.result_summary is
  'A survey''s Results in numbers. responses: all, null under a filter. scanned: the newest that days and answers are of. days: [{day, invitation, direct}], UTC. '
  'answers: [{question, value, number}], value null: any other answer. invited: the newest invitations that were sent and didn''t bounce (bounced); '
  'responded: those of them with a response; sent_days: [{day, invited, responded}]; sent_capped: there are more.';

/*
 * Of the newest max_responses responses and max_invitations invitations, so that a page with a million responses is no heavier than one
 * with ten thousand.
 */
create function console.result_summary(
  session_hash bytea, survey_id text, metadata_key text default null, metadata_value text default null,
  max_responses integer default 20000, max_invitations integer default 20000
) returns console.result_summary
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_summary console.result_summary;
  v_ids bigint[];
begin
  perform console.require_survey_role(result_summary.session_hash, result_summary.survey_id, 'viewer');
  v_ids := console.find_responses(
    result_summary.survey_id, result_summary.metadata_key, result_summary.metadata_value, null, result_summary.max_responses);
  v_summary.scanned := cardinality(v_ids);
  if result_summary.metadata_key is null then
    v_summary.responses := (select count(*) from invite.responses as r where r.survey_id = result_summary.survey_id);
    select c.invited, c.responded, c.days, c.scanned >= result_summary.max_invitations, c.bounced
    into v_summary.invited, v_summary.responded, v_summary.sent_days, v_summary.sent_capped, v_summary.bounced
    from console.count_sent(result_summary.survey_id, result_summary.max_invitations) as c;
  end if;

  select
    min(d.first_at), max(d.last_at),
    coalesce(jsonb_agg(jsonb_build_object('day', d.day, 'invitation', d.invitation, 'direct', d.direct) order by d.day), '[]')
  into v_summary.first_at, v_summary.last_at, v_summary.days
  from (
    select
      (r.submitted_at at time zone 'UTC')::date as day, min(r.submitted_at) as first_at, max(r.submitted_at) as last_at,
      count(r.invitation_id) as invitation, count(*) - count(r.invitation_id) as direct
    from invite.responses as r
    where r.id = any (v_ids)
    group by 1
  ) as d;
  v_summary.answers := console.count_answers(
    (select s.questions from invite.surveys as s where s.id = result_summary.survey_id), v_ids);
  return v_summary;
end
$$;
comment on function console.result_summary(bytea, text, text, text, integer, integer) is
  'A survey''s Results in numbers: responses by day, answers counted, response rate; bounded.';
