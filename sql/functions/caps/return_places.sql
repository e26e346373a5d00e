/*
 * For what the relay's rate turned down after take_places, in the same transaction. A promise stays one.
 */
create or replace function invite.return_places(messages invite.due_message[], at timestamptz) returns void
language plpgsql volatile
as $$
begin
  perform invite.count_places(array_agg(row(
    c.workspace_id, c.scope, c.domain, date_trunc('hour', return_places.at, 'UTC'), -c.large, -c.small, 0, -c.used)::invite.cap_slots))
  from (
    select
      w.id as workspace_id, k.scope, k.domain, count(*) as used, count(*) filter (where not d.has_place and not (p.place).is_small) as large,
      count(*) filter (where not d.has_place and (p.place).is_small) as small
    from unnest(return_places.messages) as d
    join invite.places_of(return_places.messages, return_places.at) as p on (p.place).invitation_id = d.id and (p.place).number = d.number
    join invite.workspaces as w on w.id = p.workspace_id
    cross join lateral invite.caps_of(w, array[(p.place).recipient_domain]) as k
    where d.has_place is not null and invite.is_counted(k.scope, k.domain, p.place)
    group by 1, 2, 3
  ) as c;
end
$$;
comment on function invite.return_places(invite.due_message[], timestamptz) is 'Gives back the places that take_places took for messages that don''t leave now.';
