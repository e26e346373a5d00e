/*
 * The week is Monday to Sunday in time_zone. Of the newest 200 surveys those with responses or invitations in it or the week before, the most
 * responses first. Scores and rates are those of Results. Comments: of the newest 2,000 responses of a survey; those that are low, the lowest first,
 * and those of promoters, or in the upper quarter of the scale, the highest first. Pins: lookup plan.
 */
create or replace function invite.weekly_report(
  workspace_id text, role invite.member_role, time_zone text, week_ends_on date, at timestamptz, max_surveys integer default 10, max_comments integer default 3
) returns jsonb
language plpgsql stable
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
declare
  v_starts_at constant timestamptz := (weekly_report.week_ends_on - 7)::timestamp at time zone weekly_report.time_zone;
  v_ends_at constant timestamptz := weekly_report.week_ends_on::timestamp at time zone weekly_report.time_zone;
  v_edges constant timestamptz[] := array[
    (weekly_report.week_ends_on - 14)::timestamp at time zone weekly_report.time_zone, v_starts_at, v_starts_at, v_ends_at];
  v_until constant timestamptz := console.rated_until(weekly_report.at);
  v_survey invite.surveys;
  v_low record;
  v_counts jsonb;
  v_sent record;
  v_score jsonb;
  v_surveys jsonb := '[]';
  v_ids text[] := '{}';
  v_number record;
begin
  for v_survey in
    select s.*
    from invite.surveys as s
    where s.workspace_id = weekly_report.workspace_id and s.deletion_started_at is null
    order by s.created_at desc, s.id
    limit 200
  loop
    v_counts := (select jsonb_agg(c) from console.count_by_time(v_survey.id, v_edges) as c);
    continue when v_counts is null;
    select
      coalesce(sum(c.number) filter (where c.bin = 3), 0) as responses, coalesce(sum(c.number) filter (where c.bin = 1), 0) as responses_before
    into v_number
    from jsonb_to_recordset(v_counts) as c (bin integer, question text, value text, number bigint)
    where c.question = '' and c.value in ('invitation', 'direct');
    select coalesce(sum(n.sent - coalesce(n.bounced, 0)), 0) as invited, coalesce(sum(n.responded), 0) as responded into v_sent
    from jsonb_to_recordset(console.count_invited(v_survey.id, null, array[least(v_starts_at, v_until), least(v_ends_at, v_until)]))
      as n (bin integer, sent bigint, responded bigint, bounced bigint);
    select l.* into v_low from invite.low_score_of(v_survey.questions) as l;
    v_score := case when v_low.question is not null then (
      select to_jsonb(e.value) || jsonb_build_object('label', v_low.label, 'nps', v_low.nps)
      from jsonb_array_elements(console.summarize_scores(
        (
          select jsonb_agg(q.value) from jsonb_array_elements(v_survey.questions) as q where q.value ->> 'id' = v_low.question
        ), v_counts, 1, true)) as e
    ) end;
    v_ids := v_ids || v_survey.id;
    v_surveys := v_surveys || jsonb_build_object(
      'survey_id', v_survey.id, 'title', v_survey.title, 'responses', v_number.responses, 'responses_before', v_number.responses_before,
      'invited', v_sent.invited, 'responded', v_sent.responded, 'score', v_score - 'bins' - 'question');
  end loop;

  return jsonb_build_object(
    'first_day', weekly_report.week_ends_on - 7, 'last_day', weekly_report.week_ends_on - 1,
    'surveys', (
      select coalesce(jsonb_agg(l.value order by l.place), '[]')
      from (
        select s.value, row_number() over (order by (s.value ->> 'responses')::bigint desc, (s.value ->> 'invited')::bigint desc, s.ordinality) as place
        from jsonb_array_elements(v_surveys) with ordinality as s
      ) as l
      where l.place <= weekly_report.max_surveys),
    'more_surveys', greatest(jsonb_array_length(v_surveys) - weekly_report.max_surveys, 0),
    'attention', (
      select coalesce(jsonb_agg(a), '[]')
      from invite.attention_of(weekly_report.workspace_id, weekly_report.role, weekly_report.at) as a)
  ) || (
    select jsonb_build_object(
      'best', coalesce(jsonb_agg(to_jsonb(c) - 'place' - 'is_best' order by c.place) filter (where c.is_best), '[]'),
      'worst', coalesce(jsonb_agg(to_jsonb(c) - 'place' - 'is_best' order by c.place) filter (where not c.is_best), '[]'))
    from (
      select
        k.response_id, k.survey_id, k.survey_title, k.score, k.highest, k.comment, k.is_best,
        row_number() over (partition by k.is_best order by case when k.is_best then -k.share else k.share end, k.id desc) as place
      from (
        select
          r.id, r.id::text as response_id, s.id as survey_id, s.title as survey_title, g.score, w.highest,
          (g.score - w.lowest)::float8 / nullif(w.highest - w.lowest, 0) as share, t.comment,
          case
            when g.score < w.below then false
            when g.score >= case when w.nps then 9 else ceil(w.lowest + (w.highest - w.lowest) * 0.75) end then true
          end as is_best
        from unnest(v_ids) as o (id)
        join invite.surveys as s on s.id = o.id
        cross join lateral invite.low_score_of(s.questions) as w
        cross join lateral (
          select x.id, x.answers, x.questions_version
          from invite.responses as x
          where x.survey_id = s.id and x.submitted_at >= v_starts_at and x.submitted_at < v_ends_at and x.erased_at is null
          order by x.submitted_at desc
          limit 2000
        ) as r
        cross join lateral (select invite.score_of(r.answers, w.question) as score) as g
        cross join lateral (
          select left(r.answers ->> (q.value ->> 'id'), 500) as comment
          from jsonb_array_elements(s.questions) with ordinality as q
          where q.value ->> 'type' = 'text' and trim(r.answers ->> (q.value ->> 'id')) <> ''
          order by q.ordinality
          limit 1
        ) as t
        where g.score between w.lowest and w.highest
      ) as k
      where k.is_best is not null
    ) as c
    where c.place <= weekly_report.max_comments);
end
$$;
comment on function invite.weekly_report(text, invite.member_role, text, date, timestamptz, integer, integer) is
  'What a weekly report says: {first_day, last_day, surveys: [{survey_id, title, responses, responses_before, invited, responded, score}], more_surveys, best, '
  'worst: [{response_id, survey_id, survey_title, score, highest, comment}], attention}. score: as summarize_scores has it, with label and nps; null: no '
  'question has a score. It has no address.';
