/*
 * The table may have zones that the server no longer knows: after an upgrade of its time zones, or in a restored dump. Each statement that
 * computed with one would fail, so the zone is tried first. Trying alone isn't enough, because PostgreSQL also takes texts such as Tokio+3.
 */
create or replace function invite.zone_of(variadic names text[]) returns text
language plpgsql stable
as $$
declare
  v_name text;
begin
  foreach v_name in array zone_of.names loop
    continue when v_name is null;
    v_name := (select z.name from invite.time_zones as z where lower(z.name) = lower(v_name collate "C"));
    continue when v_name is null;
    begin
      if to_timestamp(0) at time zone v_name is not null then
        return v_name;
      end if;
    exception
      when invalid_parameter_value then null;
    end;
  end loop;
  return 'UTC';
end
$$;
comment on function invite.zone_of(text[]) is 'The first of these time zones that the server knows, as it spells it, or UTC.';
