/*
 * Looks for the batch that contains this total; that batch may have been deleted. A clock that was set back is treated as in cooldown_end,
 * with an hour as the cooldown.
 *
 * Returns rows, so that the planner inlines it.
 */
create or replace function invite.quota_end(workspace_id text, total bigint, at timestamptz) returns setof timestamptz
language sql stable rows 1
as $$
  select least(b.accepted_at, quota_end.at) + interval '1 hour'
  from (
    select n.accepted_at, n.workspace_total - n.recipients as before
    from invite.batches as n
    where n.workspace_id = quota_end.workspace_id and n.workspace_total >= case when quota_end.total > 0 then quota_end.total end
    order by n.workspace_total
    limit 1
  ) as b
  where b.before < quota_end.total
    and b.accepted_at + interval '1 hour' > quota_end.at
    and b.accepted_at - interval '1 hour' < quota_end.at
$$;
comment on function invite.quota_end(text, bigint, timestamptz) is
  'When a workspace''s recipients up to this total will be older than an hour; no row: they already are.';
