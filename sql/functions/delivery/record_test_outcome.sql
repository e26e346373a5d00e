create or replace function invite.record_test_outcome(
  test_id uuid, outcome invite.delivery_outcome, code text, at timestamptz default null
) returns void
language sql volatile
as $$
  update invite.test_invitations as x
  set outcome = record_test_outcome.outcome, outcome_code = left(record_test_outcome.code, 100), attempts = x.attempts + 1,
    tried_at = invite.clock(record_test_outcome.at)
  where x.id = record_test_outcome.test_id
$$;
comment on function invite.record_test_outcome(uuid, invite.delivery_outcome, text, timestamptz) is 'Records what became of an attempt at a test message.';
