/*
 * Creates a table and attaches it. Creating a partition in place would wait for all readers, and block new ones. The bounds are passed as
 * text, for which DateStyle must be ISO: other styles end in a time zone abbreviation, which can be ambiguous.
 *
 * security definer: so the partition belongs to the owner of events, whatever role the worker has. Otherwise the next migrate might not be
 * allowed to grant rights on it.
 */
create or replace function invite.prepare_event_partition(at timestamptz) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp set datestyle = 'ISO' set timezone = 'UTC'
as $$
declare
  v_from timestamptz := date_trunc('week', prepare_event_partition.at, 'UTC');
  v_name text := 'events_' || to_char(v_from at time zone 'UTC', 'YYYYMMDD');
begin
  if to_regclass('invite.' || v_name) is not null then
    return;
  end if;
  execute format('create table invite.%I (like invite.events including defaults including constraints)', v_name);
  execute format('comment on table invite.%I is %L', v_name, 'The events of one week.');
  execute format(
    'alter table invite.events attach partition invite.%I for values from (%L) to (%L)', v_name, v_from, v_from + interval '7 days');
end
$$;
comment on function invite.prepare_event_partition(timestamptz) is 'Creates the partition of events for the week of this time, if it doesn''t exist.';
