create or replace function invite.held_claims(worker_id uuid) returns uuid[]
language plpgsql stable
as $$
begin
  return array(
    select distinct m.claim_id from invite.messages as m where m.worker_id = held_claims.worker_id and m.status = 'sending');
end
$$;
comment on function invite.held_claims(uuid) is 'The claims under which a worker holds messages.';
