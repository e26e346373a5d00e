/*
 * The volume limit: recipients per workspace per rolling hour, exact across processes.
 *
 * Why minute buckets: the sum is over some sixty rows whatever the traffic. The window is the present minute and the sixty before
 * it, so that no sixty minutes ever see more than the limit.
 *
 * Called by: accept_trigger, under the token's lock. Locks: an advisory lock on the workspace until the transaction ends. Two
 * callers in different minutes share no row, so a row lock could not keep their sums apart.
 */
create or replace function invite.take_volume(
  workspace_id text, recipients integer, recipients_per_hour integer, at timestamptz
) returns integer
language plpgsql volatile
as $$
declare
  v_minute timestamptz := date_trunc('minute', take_volume.at);
  v_free_at timestamptz;
begin
  perform pg_advisory_xact_lock(hashtextextended('invite.workspace_volumes/' || take_volume.workspace_id, 0));

  delete from invite.workspace_volumes as v
  where v.workspace_id = take_volume.workspace_id and v.minute < v_minute - interval '60 minutes';

  -- The oldest minute that must leave the window before the request fits: null if it fits now.
  select max(w.minute) into v_free_at
  from (
    select v.minute, sum(v.recipients) over (order by v.minute desc) as since
    from invite.workspace_volumes as v
    where v.workspace_id = take_volume.workspace_id
  ) as w
  where w.since + take_volume.recipients > take_volume.recipients_per_hour;

  if take_volume.recipients > take_volume.recipients_per_hour then
    return 3600;
  elsif v_free_at is not null then
    return ceil(extract(epoch from v_free_at + interval '61 minutes' - take_volume.at));
  end if;

  insert into invite.workspace_volumes as v (workspace_id, minute, recipients)
  values (take_volume.workspace_id, v_minute, take_volume.recipients)
  on conflict on constraint workspace_volumes_pkey
  do update set recipients = v.recipients + excluded.recipients;
  return null;
end
$$;
comment on function invite.take_volume(text, integer, integer, timestamptz) is
  'Takes recipients out of the workspace''s hourly volume. Null: taken. Otherwise nothing is taken, and it is the number of seconds until they fit.';
