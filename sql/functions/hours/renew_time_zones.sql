/*
 * For migrate. PostgreSQL needs half a second to read the names, so they are read again only after it or the schema got another version, which
 * invite.definitions remembers, or with always. Some old names are left out, because PostgreSQL takes them for abbreviations: CET would be one hour
 * from UTC in summer too.
 */
create or replace function invite.renew_time_zones(always boolean default false) returns void
language plpgsql volatile
as $$
declare
  v_mark text := md5(concat_ws(' ', version(), (select max(m.version) from invite.migrations as m)));
begin
  if not renew_time_zones.always and exists (select from invite.definitions as d where d.file = 'time_zones' and d.digest = v_mark) then
    return;
  end if;
  with known as materialized (
    select n.name collate "C" as name
    from pg_timezone_names as n
    where n.name !~ '^(posix|right)/' and n.name not in ('Factory', 'localtime', 'posixrules')
      and (n.name in ('UTC', 'GMT') or upper(n.name) not in (select a.abbrev from pg_timezone_abbrevs as a))
  ),
  gone as (
    delete from invite.time_zones as z where z.name not in (select k.name from known as k)
  )
  insert into invite.time_zones (name) select k.name from known as k
  on conflict (name) do nothing;
  insert into invite.definitions (file, digest) values ('time_zones', v_mark)
  on conflict (file) do update set digest = excluded.digest;
end
$$;
comment on function invite.renew_time_zones(boolean) is 'Reads the names of time zones that this server knows, if it may be another server than before.';
