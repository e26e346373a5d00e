/*
 * Until when a token cools down after its last accepted request; null: it has accepted none.
 * One expression over a row, so that the planner puts it into the query that has the row.
 */
create or replace function invite.cools_until(token invite.trigger_tokens) returns timestamptz
language sql stable
as $$
  select token.last_accepted_at + token.cooldown_seconds * interval '1 second'
$$;
comment on function invite.cools_until(invite.trigger_tokens) is
  'When the cooldown after a token''s last accepted request ends; null: it has accepted none.';
