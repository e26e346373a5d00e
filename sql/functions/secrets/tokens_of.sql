/*
 * A token whose secret was replaced has two for a while. even_ended: also by a replaced secret that has ended, to see that it is still used.
 *
 * Two branches, because each has an index of its own. One row at most.
 */
create or replace function invite.tokens_of(secret_hash bytea, even_ended boolean default false) returns table (id uuid)
language sql stable
as $$
  select t.id from invite.trigger_tokens as t where t.secret_hash = tokens_of.secret_hash
  union all
  select t.id
  from invite.trigger_tokens as t
  where t.previous_secret_hash = tokens_of.secret_hash and (t.previous_secret_until > invite.now() or tokens_of.even_ended)
  limit 1
$$;
comment on function invite.tokens_of(bytea, boolean) is 'The trigger token with this secret, deleted or not. No row: there is none.';
