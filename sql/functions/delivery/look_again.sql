/*
 * Waits for a claim of this address, which may be putting a message off by what held until now.
 *
 * Locks: the address, as claim_wait; the messages, by invitation (for no key update), by a statement of its own; the clock is read after it.
 * Pins: lookup plan.
 */
create or replace function invite.look_again(workspace_id text, email text, at timestamptz default null) returns integer
language plpgsql volatile
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
declare
  v_ids bigint[];
  v_now timestamptz;
  v_job_requests invite.job_request[];
begin
  perform pg_advisory_xact_lock(invite.address_key(look_again.workspace_id, look_again.email));
  v_ids := array(
    select m.invitation_id
    from invite.addresses as a
    join invite.messages as m on m.invitation_id = a.invitation_id
    where a.workspace_id = look_again.workspace_id and a.email = lower(look_again.email collate "C") and m.status::text = 'queued' and m.rule is not null
    order by m.invitation_id
    for no key update of m);
  v_now := invite.clock_of(look_again.workspace_id, look_again.at);
  with woken as (
    update invite.messages as m
    set not_before = v_now, sweep_at = v_now + invite.job_grace(), rule = null
    where m.invitation_id = any (v_ids) and m.status::text = 'queued' and m.rule is not null
    returning m.invitation_id
  )
  select array_agg(row(w.invitation_id, v_now)::invite.job_request) into v_job_requests
  from woken as w;
  perform invite.queue_sends(v_job_requests);
  return coalesce(cardinality(v_job_requests), 0);
end
$$;
comment on function invite.look_again(text, text, timestamptz) is
  'Lets workers look again at what a rule has put off of the emails to an address. Returns how many.';
