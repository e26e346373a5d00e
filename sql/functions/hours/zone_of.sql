/*
 * The table may be of another server: of the one before an upgrade of its time zones, or the one that a dump was made on. So a zone is tried. One that
 * the server doesn't know would be an error in each statement that computes with it. PostgreSQL itself would take texts such as Tokio+3.
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
