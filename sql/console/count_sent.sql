/*
 * Reads all invitations of the survey that were accepted since, by batches, because neither table has an index of metadata. Pins: lookup plan, index
 * order, array join (otherwise the planner may read the batches of all surveys, in the order of their ids), offset 0 fence (otherwise it expects as many
 * groups as invitations).
 */
create function console.count_sent(
  survey_id text, conditions jsonb, edges timestamptz[], dimension text default null, key text default null, among text[] default null,
  accepted_since timestamptz default null
) returns table (bin integer, part text, is_other boolean, sent bigint, responded bigint, bounced bigint)
language plpgsql stable
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off set enable_sort = off set work_mem = '32MB' set jit = off
as $$
begin
  return query execute format(
    $q$
      select c.bin, c.part, c.is_other, count(*), count(c.responded_at), count(c.bounced_at) filter (where c.responded_at is null)
      from (
        select width_bucket(r.sent_at, $2) as bin, %s, r.responded_at, r.bounced_at
        from (
          select
            m.sent_at, i.responded_at, i.bounced_at, coalesce(i.language, b.language, s.language) as language, b.trigger_token_id,
            case when i.metadata is null then b.metadata else coalesce(b.metadata, '{}') || i.metadata end as metadata
          from invite.surveys as s
          join invite.batches as b on b.survey_id = s.id and b.accepted_at >= coalesce($3, '-infinity') and b.accepted_at < $2[cardinality($2)]
          join invite.invitations as i on i.batch_id = any (array[b.id])
          join invite.messages as m on m.invitation_id = i.id and m.number = 0
          where s.id = $1 and m.sent_at >= $2[1] and m.sent_at < $2[cardinality($2)]
        ) as r
        where %s
        offset 0
      ) as c
      group by 1, 2, 3
    $q$,
    console.part_columns(count_sent.dimension, count_sent.key, count_sent.among),
    console.result_condition(count_sent.survey_id, row(null, null, count_sent.conditions, null, null)::console.result_filter))
  using count_sent.survey_id, count_sent.edges, count_sent.accepted_since;
end
$$;
comment on function console.count_sent(text, jsonb, timestamptz[], text, text, text[], timestamptz) is
  'How many of a survey''s invitations that meet conditions were sent between each two edges, and how many of those were responded to, or bounced '
  'without a response; for each part, if dimension says which (dimension_value). among: as in count_parts. accepted_since: null, all.';
