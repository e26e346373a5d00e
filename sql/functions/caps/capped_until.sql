/*
 * As a claim of this message alone would find it; it doesn't take the place. With the owner's rights, because views ask it with those of their reader.
 */
create or replace function invite.capped_until(message invite.messages, at timestamptz) returns timestamptz
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_until timestamptz;
begin
  select (l.planned)[1].until
  into v_until
  from invite.places_of(
    array[row(message.invitation_id, message.number, 'ready', null, null, null, null, null, null, null, null, null)::invite.due_message],
    capped_until.at) as p
  join invite.workspaces as w on w.id = p.workspace_id
  cross join lateral invite.plan_places(w, array[p.place]) as l;
  return v_until;
end
$$;
comment on function invite.capped_until(invite.messages, timestamptz) is 'When a message that may leave otherwise gets a place under caps.';
