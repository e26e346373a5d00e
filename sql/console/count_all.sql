create function console.count_all(survey_id text) returns jsonb
language sql stable
as $$
  select coalesce(jsonb_object_agg(n.value, n.number), '{}')
  from (
    select c.value, sum(c.number) as number
    from (
      select q.value, q.number
      from invite.result_counts as q
      where q.survey_id = count_all.survey_id and q.whole_day and q.starts_at = '-infinity' and q.question = ''
      union all
      select x.value, x.number
      from invite.result_changes as x
      where x.id >= (select p.read_from from invite.queue_progress as p where p.queue = 'result_changes')
        and x.survey_id = count_all.survey_id and x.question = ''
    ) as c
    group by c.value
  ) as n
$$;
comment on function console.count_all(text) is
  'The counts of a survey''s responses (invitation, direct) and invitations (sent, responded, bounced) of all days together, exact however many there are.';
