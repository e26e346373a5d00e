/*
 * What the field calls low: detractors (0 to 6) of an NPS, otherwise what is below the middle of the scale. Members choose limits of their own.
 */
create or replace function invite.low_score_of(
  questions jsonb, out question text, out label text, out nps boolean, out lowest integer, out highest integer, out below integer
)
language sql immutable parallel safe
as $$
  select s.id, s.label, s.nps, s.lowest, s.highest, case when s.nps then 7 else ceil((s.lowest + s.highest) / 2.0)::integer end
  from (
    select
      q.value ->> 'id' as id, q.value ->> 'label' as label, coalesce((q.value ->> 'nps')::boolean, false) as nps,
      coalesce((q.value ->> 'min')::integer, 0) as lowest, coalesce((q.value ->> 'max')::integer, 10) as highest
    from jsonb_array_elements(low_score_of.questions) with ordinality as q
    where q.value ->> 'type' = 'score'
    order by q.ordinality
    limit 1
  ) as s
$$;
comment on function invite.low_score_of(jsonb) is
  'The first question with a score, with its scale, and below which score a response is low. Nulls: no question has a score.';
