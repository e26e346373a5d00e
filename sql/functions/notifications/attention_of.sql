/*
 * Of the newest 200 surveys, within the last seven days:
 *
 *   low_scores       responses that are low (low_score_of)
 *   emails_failed    emails that failed for good
 *   sending_paused   what is paused now: the service, the workspace or a survey
 *   survey_closing   active surveys that their date closes within seven days
 *   links_expiring   invitations without a response whose link expires within seven days
 *   rate_fell        the response rate of the last days that can be rated, against the twelve weeks before: below two thirds of it, and no noise
 *                    (a z-test of two proportions at three standard errors)
 *
 * Viewers get what they can look at: scores, rates and the closing date. The numbers are those of Results. Pins: lookup plan.
 */
create or replace function invite.attention_of(
  workspace_id text, role invite.member_role, at timestamptz, max_count integer default 10001, max_rows integer default 50
) returns setof invite.attention
language plpgsql stable
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
declare
  v_now constant timestamptz := date_bin('15 minutes', attention_of.at, '2000-01-01 00:00Z');
  v_since constant timestamptz := v_now - interval '7 days';
  v_rated_until constant timestamptz := console.rated_until(attention_of.at);
  v_survey invite.surveys;
  v_low record;
  v_found invite.attention;
  v_old record;
  v_number bigint;
  v_rows integer := 0;
begin
  if attention_of.role <= 'editor' then
    return query
    select 'sending_paused', null::text, null::text, null::bigint, g.paused_at, jsonb_build_object('scope', g.scope)
    from (
      select 'service' as scope, s.paused_at from invite.settings as s
      union all
      select 'workspace', w.paused_at from invite.workspaces as w where w.id = attention_of.workspace_id
    ) as g
    where g.paused_at is not null;
  end if;

  for v_survey in
    select s.*
    from invite.surveys as s
    where s.workspace_id = attention_of.workspace_id and s.deletion_started_at is null
    order by s.created_at desc, s.id
    limit 200
  loop
    exit when v_rows >= attention_of.max_rows;
    v_found := row(null, v_survey.id, v_survey.title, null, null, '{}'::jsonb)::invite.attention;
    select l.* into v_low from invite.low_score_of(v_survey.questions) as l;
    if v_low.question is not null then
      select sum(c.number), jsonb_agg(c.value order by c.value::integer) into v_number, v_found.detail
      from console.count_by_time(v_survey.id, array[v_since, v_now + interval '15 minutes'], v_low.question) as c
      where c.question = v_low.question and c.value ~ '^-?\d+$' and c.value::integer >= v_low.lowest and c.value::integer < v_low.below;
      if v_number > 0 then
        v_found.kind := 'low_scores';
        v_found.number := v_number;
        v_found.at := v_since;
        v_found.detail := jsonb_build_object('question', v_low.question, 'below', v_low.below, 'values', v_found.detail);
        v_rows := v_rows + 1;
        return next v_found;
      end if;
    end if;
    if v_survey.state = 'active' and v_survey.closes_at > attention_of.at and v_survey.closes_at <= attention_of.at + interval '7 days' then
      v_rows := v_rows + 1;
      return next row('survey_closing', v_survey.id, v_survey.title, null, v_survey.closes_at, '{}'::jsonb)::invite.attention;
    end if;

    -- Sent before v_rated_until, in bins: twelve weeks before, and the last days.
    select
      sum(case c.value when 'sent' then c.number when 'bounced' then -c.number end) filter (where c.bin = 1) as invited_before,
      sum(c.number) filter (where c.bin = 1 and c.value = 'responded') as responded_before,
      coalesce(sum(case c.value when 'sent' then c.number when 'bounced' then -c.number end) filter (where c.bin = 2), 0) as invited,
      coalesce(sum(c.number) filter (where c.bin = 2 and c.value = 'responded'), 0) as responded
    into v_old
    from console.count_by_time(v_survey.id, array[v_rated_until - interval '91 days', v_rated_until - interval '7 days', v_rated_until], '') as c;
    if v_old.invited > 0 and v_old.invited_before > 0
      and v_old.responded::float8 / v_old.invited < v_old.responded_before::float8 / v_old.invited_before * 2 / 3
      and v_old.responded_before::float8 / v_old.invited_before - v_old.responded::float8 / v_old.invited > 3 * sqrt(
        (v_old.responded + v_old.responded_before)::float8 / (v_old.invited + v_old.invited_before)
        * (1 - (v_old.responded + v_old.responded_before)::float8 / (v_old.invited + v_old.invited_before))
        * (1.0 / v_old.invited + 1.0 / v_old.invited_before))
    then
      v_rows := v_rows + 1;
      return next row(
        'rate_fell', v_survey.id, v_survey.title, v_old.invited, v_rated_until - interval '7 days',
        jsonb_build_object('rate', v_old.responded::float8 / v_old.invited, 'before', v_old.responded_before::float8 / v_old.invited_before))::invite.attention;
    end if;
    continue when attention_of.role > 'editor';

    if v_survey.paused_at is not null and v_survey.state = 'active' then
      v_rows := v_rows + 1;
      return next row('sending_paused', v_survey.id, v_survey.title, null, v_survey.paused_at, '{"scope": "survey"}'::jsonb)::invite.attention;
    end if;
    select count(*), min(f.failed_at) into v_number, v_found.at
    from (
      select m.failed_at
      from invite.messages as m
      where m.survey_id = v_survey.id and m.status = 'failed'
      order by m.invitation_id desc
      limit attention_of.max_count
    ) as f
    where f.failed_at >= v_since;
    if v_number > 0 then
      v_rows := v_rows + 1;
      return next row('emails_failed', v_survey.id, v_survey.title, v_number, v_found.at, '{}'::jsonb)::invite.attention;
    end if;
    if v_survey.link_days is not null and v_survey.state = 'active' then
      select sum(case c.value when 'sent' then c.number when 'bounced' then -c.number when 'responded' then -c.number end) into v_number
      from console.count_by_time(
        v_survey.id, array[v_now - v_survey.link_days * interval '24 hours', v_now - v_survey.link_days * interval '24 hours' + interval '7 days'], '') as c;
      if v_number > 0 then
        v_rows := v_rows + 1;
        return next row('links_expiring', v_survey.id, v_survey.title, v_number, v_now + interval '7 days', '{}'::jsonb)::invite.attention;
      end if;
    end if;
  end loop;
end
$$;
comment on function invite.attention_of(text, invite.member_role, timestamptz, integer, integer) is
  'What needs attention in a workspace, for a role; the newest surveys first.';
