/*
 * As pending_messages, for people who aren't invited yet: the number of the line stands for the id of the invitation. Each is due when its batch
 * can be accepted: at once as many as the quota allows, then an hour's quota with each hour. So the time is the latest at which it is accepted.
 *
 * What other invitations to the same address have left, or are about to leave, counts as if nothing held it. Pins: lookup plan, offset 0 fence.
 */
create or replace function invite.pending_of_upload(upload invite.uploads, at timestamptz) returns setof invite.pending_message
language plpgsql stable
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off set work_mem = '64MB'
as $$
declare
  w invite.workspaces;
  v_survey invite.surveys;
  v_quota constant invite.upload_quota := invite.upload_quota((upload).workspace_id, pending_of_upload.at);
  v_ignores_rest constant boolean := coalesce((
    select t.ignores_rest from invite.trigger_tokens as t where t.survey_id = (upload).survey_id and t.is_by_hand and t.deleted_at is null), false);
  v_has_choices constant boolean := exists (select from invite.recipient_choices as c where c.workspace_id = (upload).workspace_id);
  v_sender constant jsonb := (
    select t.sender from invite.trigger_tokens as t where t.survey_id = (upload).survey_id and t.is_by_hand and t.deleted_at is null limit 1);
  v_is_small constant boolean := (
    select count(*) <= 10 from invite.upload_lines as l where l.upload_id = (upload).id and l.outcome not in ('repeated', 'invalid'));
  v_rules invite.survey_rules;
  v_rest_days integer;
begin
  select s.* into v_survey from invite.surveys as s where s.id = (upload).survey_id;
  select x.* into w from invite.workspaces as x where x.id = v_survey.workspace_id;
  v_survey.activated_at := coalesce(v_survey.activated_at, pending_of_upload.at);
  v_rules := invite.rules_of(
    v_survey, w, v_has_choices, (invite.sending_now(case when w.test_now is null then pending_of_upload.at else invite.now() end)).late_send_hours);
  v_rest_days := case when not v_ignores_rest then w.rest_days end;
  return query
  with line as materialized (
    select
      l.number, l.email, l.recipient ->> 'time_zone' as time_zone,
      exists (select from invite.suppressions as x where x.workspace_id = w.id and x.email = l.email) as is_suppressed,
      v_has_choices and invite.has_declined(v_rules, l.email) as has_declined,
      v_has_choices and exists (
        select from invite.recipient_choices as c where c.workspace_id = w.id and c.email = l.email and c.survey_id = ''
      ) as wants_less
    from invite.upload_lines as l
    where l.upload_id = (upload).id and l.outcome not in ('repeated', 'invalid')
    offset 0
  ),
  due as (
    select
      l.*, greatest((upload).send_at, pending_of_upload.at + a.hours * interval '1 hour') as due_at,
      nullif(greatest(v_rest_days, case when l.wants_less then 30 end), 0) as rest_days
    from (
      -- Who must not be emailed takes no place in the quota.
      select x.*, count(*) filter (where not (x.is_suppressed or x.has_declined)) over (order by x.number) as place
      from line as x
    ) as l
    cross join lateral (
      select case when l.place <= v_quota.free then 0 else ceil((l.place - v_quota.free)::numeric / greatest(v_quota.per_hour, 1)) end as hours
    ) as a
  )
  select
    d.number::bigint, case when d.rest_days is not null then invite.address_key(w.id, d.email) else d.number end, d.due_at, d.due_at, d.due_at,
    case when d.rest_days is not null then (
      select max(case
        when m.status in ('sending', 'queued', 'waiting') then greatest(m.not_before, pending_of_upload.at)
        when m.unconfirmed_since is null then m.sent_at
        else coalesce(m.sent_at, greatest(m.unconfirmed_since, m.failed_at, m.skipped_at, m.cancelled_at))
      end)
      from invite.addresses as a
      join invite.messages as m on m.invitation_id = a.invitation_id and m.number = 0
      where a.workspace_id = w.id and a.email = d.email
    ) end,
    case when (v_rules).delay_hours is null then d.due_at + interval '30 days' end,
    null::timestamptz, null::timestamptz, null::timestamptz, d.rest_days, 0::smallint, true, false, d.is_suppressed, d.has_declined, false,
    null::invite.unsent_reason, case when (v_rules).survey_id is not null then invite.deadline_of(v_rules, d.due_at) end,
    case when num_nonnulls(w.open_hours, w.closed_days) > 0 then array[d.time_zone, null] || (v_rules).time_zones end,
    null::timestamptz, invite.domain_of(invite.sender_of(w.sender, v_sender) ->> 'email'), invite.domain_of(d.email), v_is_small, false
  from due as d;
end
$$;
comment on function invite.pending_of_upload(invite.uploads, timestamptz) is 'The first emails of an upload''s people, for a forecast.';
