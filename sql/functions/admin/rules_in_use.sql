/*
 * For the command check. Reads all workspaces and surveys. A zone is known if zone_of would compute with it, or with another spelling of it.
 */
create or replace function invite.rules_in_use(out unknown_time_zones text[], out longest_rest integer)
language sql stable security definer
set search_path = pg_catalog, pg_temp
as $$
  select
    array(
      select z.name
      from (select w.time_zone from invite.workspaces as w union select s.time_zone from invite.surveys as s) as z (name)
      where z.name is not null and lower(invite.zone_of(z.name) collate "C") <> lower(z.name)
      order by z.name),
    (select max(w.rest_days) from invite.workspaces as w)
$$;
comment on function invite.rules_in_use() is
  'The time zones of workspaces and surveys that the server no longer knows, and the longest rest of a workspace, in days.';
