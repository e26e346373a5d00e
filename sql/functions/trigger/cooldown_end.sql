/*
 * When the cooldown of a token ends: one row if it is cooling down at the given time, otherwise none.
 *
 * The last acceptance is the token's newest batch, so that accepting only inserts rows: a lookup by an updated row would walk all versions
 * that a held snapshot keeps. An acceptance that lies in the future, because the clock was set back, counts as now; one that lies further
 * ahead than a cooldown doesn't count, or the token would reject requests until the clock gets there.
 *
 * A query of its own rows, so that the planner puts it into the query that calls it.
 */
create or replace function invite.cooldown_end(token invite.trigger_tokens, at timestamptz) returns setof timestamptz
language sql stable rows 1
as $$
  select least(b.accepted_at, cooldown_end.at) + token.cooldown_seconds * interval '1 second'
  from (
    select n.accepted_at
    from invite.batches as n
    -- Without a cooldown the key is null, and nothing is looked up.
    where n.trigger_token_id = case when token.cooldown_seconds > 0 then token.id end
    order by n.workspace_total desc
    limit 1
  ) as b
  where b.accepted_at + token.cooldown_seconds * interval '1 second' > cooldown_end.at
    and b.accepted_at - token.cooldown_seconds * interval '1 second' < cooldown_end.at
$$;
comment on function invite.cooldown_end(invite.trigger_tokens, timestamptz) is
  'When the cooldown after a token''s last accepted request ends; no row: it isn''t cooling down.';
