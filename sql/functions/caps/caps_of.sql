/*
 * With the numbers that hold: the lower of those that are set, and no more in an hour than in a day. A test workspace has no part in shared caps.
 */
create or replace function invite.caps_of(workspace invite.workspaces, recipient_domains text[])
returns table (scope invite.cap_scope, domain text, per_hour integer, per_day integer)
language sql stable
as $$
  select c.scope, c.domain, coalesce(least(c.per_hour, c.own_per_hour, d.per_day), 10000000), d.per_day
  from invite.caps as c
  cross join lateral (select least(c.per_day, c.own_per_day, c.earned_per_day) as per_day) as d
  where c.workspace_id = (caps_of.workspace).id and (c.scope <> 'recipient' or c.domain = any (caps_of.recipient_domains))
  union all
  select 'shared', c.domain, least(c.per_hour, c.per_day), c.per_day
  from invite.shared_caps as c
  where c.domain = any (caps_of.recipient_domains) and (caps_of.workspace).test_of is null
$$;
comment on function invite.caps_of(invite.workspaces, text[]) is
  'The caps that count emails of a workspace to these domains. per_day: null: no limit.';
