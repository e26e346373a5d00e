create or replace function invite.held_claims(worker_id uuid) returns uuid[]
language plpgsql stable
as $$
begin
  return array(
    select distinct i.claim_id from invite.invitations as i where i.worker_id = held_claims.worker_id and i.status = 'sending');
end
$$;
comment on function invite.held_claims(uuid) is 'The claims under which a worker holds messages.';
