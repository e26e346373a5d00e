create or replace function invite.changed_rules(old_row jsonb, new_row jsonb) returns jsonb
language sql immutable parallel safe
as $$
  select jsonb_build_object('changed', jsonb_agg(r.name order by r.name)) || jsonb_object_agg(r.name, new_row -> r.name)
  from unnest('{time_zone,open_hours,closed_days,rest_days,max_delay_hours}'::text[]) as r (name)
  where new_row -> r.name is distinct from old_row -> r.name
$$;
comment on function invite.changed_rules(jsonb, jsonb) is
  'For the audit log: which rules about when emails may leave differ between two versions of a row, and their new values. Null: none.';
