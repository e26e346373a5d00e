/*
 * Without conditions they are read from result_counts, and all count. With conditions they are read one by one: accepted_since says from which on
 * (newest_since); null: all.
 */
create function console.count_invited(survey_id text, conditions jsonb, edges timestamptz[], accepted_since timestamptz default null) returns jsonb
language plpgsql stable
as $$
begin
  if count_invited.conditions is not null then
    return (
      select jsonb_agg(c)
      from console.count_sent(
        count_invited.survey_id, count_invited.conditions, count_invited.edges, accepted_since => count_invited.accepted_since) as c);
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
comment on function console.count_invited(text, jsonb, timestamptz[], timestamptz) is
  'How many of a survey''s invitations were sent between each two edges, which are quarter hours, and how many of those were responded to, or bounced: '
  '[{bin, sent, responded, bounced}]. conditions: only those that meet them; null: all.';
