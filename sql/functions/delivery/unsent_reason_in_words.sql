/*
 * The pages' words are in src/console/words.ts.
 * code: the error code of failed and retry_later, the suppression_reason of suppressed, the relay's code of relay_paused.
 */
create or replace function invite.unsent_reason_in_words(
  reason invite.unsent_reason, hold_reason invite.hold_reason, relay text, code text
) returns text
language sql stable
as $$
  select case reason
    when 'failed' then 'failed: ' || coalesce(code, 'unknown')
    when 'suppressed' then coalesce('the address is suppressed: ' || code, 'the address was suppressed')
    when 'responded' then 'the recipient has responded'
    when 'declined' then 'the recipient wants no email about this survey'
    when 'survey_ended' then 'the survey has ended'
    when 'link_expired' then 'its link would expire within a day'
    when 'too_late' then 'could not leave in time'
    when 'rests_too_long' then 'the recipient was invited recently, and the rest ends too late'
    when 'opens_too_late' then 'the next sending hours come too late'
    when 'capped_too_long' then 'the sending limits would let it leave too late'
    when 'resting' then 'the recipient was invited recently'
    when 'outside_hours' then 'waits for sending hours'
    when 'capped' then 'waits for its turn under a sending limit'
    when 'content_rejected' then 'the relay rejects the text of its batch: about to fail'
    when 'cancelled' then 'cancelled'
    when 'sending' then 'a worker is sending it'
    when 'held' then invite.hold_reason_in_words(hold_reason)
    when 'requeueing' then 'about to be queued again'
    when 'retry_later' then 'will be retried: ' || code
    when 'not_due' then 'not due yet'
    when 'no_worker' then 'no worker is running'
    when 'relay_paused' then 'relay ' || relay || ' is paused: ' || code
    when 'job_running' then 'its job is running'
    when 'job_lost' then 'its job is lost: the sweep makes a new one'
    when 'job_postponed' then 'its job was postponed'
    when 'ready' then 'about to be sent'
  end
$$;
comment on function invite.unsent_reason_in_words(invite.unsent_reason, invite.hold_reason, text, text) is
  'An unsent_reason for a person who reads a view.';
