/*
 * All invitations count. They are read from result_counts, or one by one under conditions.
 */
create function console.count_invited(survey_id text, conditions jsonb, edges timestamptz[]) returns jsonb
language plpgsql stable
as $$
begin
  if count_invited.conditions is not null then
    return (select jsonb_agg(c) from console.count_sent(count_invited.survey_id, count_invited.conditions, count_invited.edges) as c);
  end if;
  return (
    select jsonb_agg(jsonb_build_object('bin', n.bin, 'sent', n.sent, 'responded', n.responded, 'bounced', n.bounced))
    from (
      select
        c.bin, sum(c.number) filter (where c.value = 'sent') as sent, sum(c.number) filter (where c.value = 'responded') as responded,
        sum(c.number) filter (where c.value = 'bounced') as bounced
      from console.count_by_time(count_invited.survey_id, count_invited.edges, '') as c
      group by c.bin
    ) as n);
end
$$;
comment on function console.count_invited(text, jsonb, timestamptz[]) is
  'How many of a survey''s invitations were sent between each two edges, which are quarter hours, and how many of those were responded to, or bounced: '
  '[{bin, sent, responded, bounced}]. conditions: only those that meet them; null: all.';
