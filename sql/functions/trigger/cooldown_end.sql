/*
 * The last acceptance is the token's newest batch, so that accepting only inserts rows: a lookup of an updated row would walk all
 * versions that a held snapshot keeps. If the clock was set back, an acceptance in the future counts as now, or, further ahead than a
 * cooldown, not at all: the token would reject requests until then.
 *
 * Returns rows, so that the planner inlines it. Not the token as a whole: its row would be formed again for each look.
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
