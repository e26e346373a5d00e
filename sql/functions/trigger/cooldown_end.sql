/*
 * The time of the last acceptance is that of the token's newest batch. So accepting a request only inserts rows: if it updated a row of the
 * token, a lookup would read all versions of that row that an old snapshot still needs. If the clock was set back, an acceptance in the
 * future counts as now. If it is further ahead than a cooldown, it doesn't count, because the token would reject requests until then.
 *
 * Returns rows, so that the planner inlines it. Its arguments are columns and not the token, because PostgreSQL would build the whole row
 * again for each use.
 */
create or replace function invite.cooldown_end(token_id uuid, cooldown_seconds integer, at timestamptz) returns setof timestamptz
language sql stable rows 1
as $$
  select least(b.accepted_at, cooldown_end.at) + cooldown_end.cooldown_seconds * interval '1 second'
  from (
    select n.accepted_at
    from invite.batches as n
    -- Without a cooldown the key is null, and nothing is looked up.
    where n.trigger_token_id = case when cooldown_end.cooldown_seconds > 0 then cooldown_end.token_id end
    order by n.workspace_total desc
    limit 1
  ) as b
  where b.accepted_at + cooldown_end.cooldown_seconds * interval '1 second' > cooldown_end.at
    and b.accepted_at - cooldown_end.cooldown_seconds * interval '1 second' < cooldown_end.at
$$;
comment on function invite.cooldown_end(uuid, integer, timestamptz) is
  'When the cooldown after a token''s last accepted request ends; no row: it isn''t cooling down.';
