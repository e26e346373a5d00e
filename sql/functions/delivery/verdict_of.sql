create or replace function invite.verdict_of(reason invite.unsent_reason) returns invite.verdict
language sql immutable parallel safe
as $$
  select case
    when reason in (
      'responded', 'suppressed', 'declined', 'content_rejected', 'survey_ended', 'link_expired', 'too_late', 'rests_too_long', 'opens_too_late',
      'capped_too_long')
      then 'never'::invite.verdict
    when reason in ('held', 'no_worker') then 'held'
    when reason in ('requeueing', 'retry_later', 'not_due', 'resting', 'outside_hours', 'capped', 'relay_paused', 'job_running', 'job_lost', 'job_postponed') then 'later'
    when reason = 'ready' then 'leave'
  end
$$;
comment on function invite.verdict_of(invite.unsent_reason) is
  'What a reason means for a pending message. Null: it is being sent, or has ended otherwise.';
