-- Batches have at least one recipient, so it reads at most max_invitations of them. Pins: lookup plan, index order.
create function console.newest_since(survey_id text, until timestamptz, max_invitations integer) returns timestamptz
language sql stable
set enable_seqscan = off set enable_bitmapscan = off set jit = off
as $$
  select max(n.accepted_at)
  from (
    select b.accepted_at, sum(b.recipients) over (order by b.accepted_at desc rows unbounded preceding) as newer
    from invite.batches as b
    where b.survey_id = newest_since.survey_id and b.accepted_at < newest_since.until
    order by b.accepted_at desc
    limit newest_since.max_invitations + 1
  ) as n
  where n.newer > newest_since.max_invitations
$$;
comment on function console.newest_since(text, timestamptz, integer) is
  'Since when a survey''s newest max_invitations of those before until were accepted, to the batch. Null: it has no more.';
