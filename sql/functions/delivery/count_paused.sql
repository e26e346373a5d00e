/*
 * For how many sending is paused, by scope (all, workspace, guard, survey), for monitoring: the view paused_sending, counted.
 */
create or replace function invite.count_paused() returns table (scope text, paused bigint)
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  select c.scope, count(p.scope)
  from unnest(array['all', 'workspace', 'guard', 'survey']) as c (scope)
  left join invite.paused_sending as p on p.scope = c.scope
  group by c.scope;
end
$$;
comment on function invite.count_paused() is 'For how many sending is paused, by scope; 0 if for none.';
