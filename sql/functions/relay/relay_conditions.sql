/*
 * For /readyz: [{"relay", "condition", "since", "paused_until", "code"}]. The relay's text is left out, because only the DBA reads it
 * (relay_health).
 */
create or replace function invite.relay_conditions() returns jsonb
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  return coalesce(
    (
      select jsonb_agg(jsonb_build_object(
        'relay', r.id, 'condition', r.condition, 'since', r.since, 'paused_until', r.paused_until, 'code', r.code) order by r.id)
      from invite.active_relays as r
      where r.condition <> 'healthy'
    ), '[]');
end
$$;
comment on function invite.relay_conditions() is 'The relays that running workers send to and that are busy or at fault.';
