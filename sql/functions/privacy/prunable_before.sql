/*
 * While a recipient has chosen at most one invitation a month, all are kept for 30 days: the last invitation to an address is looked up in them.
 */
create or replace function invite.prunable_before(days integer, at timestamptz) returns timestamptz
language sql stable
as $$
  select case when prunable_before.days is not null then least(
    prunable_before.at - prunable_before.days * interval '1 day',
    case when prunable_before.days < 30 and exists (select from invite.recipient_choices as c where c.survey_id = '') then
      prunable_before.at - interval '30 days'
    end) end
$$;
comment on function invite.prunable_before(integer, timestamptz) is 'Before which time batches that are kept for so many days have expired. Null: never.';
