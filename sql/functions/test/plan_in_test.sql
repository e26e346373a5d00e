/*
 * By the part of the address before an @ of sim.invalid and before a +: bounces, complains, unsubscribes, responds-0 to responds-10, scanner,
 * never, and any other. All but bounces are delivered. Other domains say nothing, as with a relay that sends no reports.
 * Only an invitation bounces, complains, unsubscribes or responds; each email is delivered and scanned.
 */
create or replace function invite.plan_in_test(workspace_id text, invitation_id bigint, message_number smallint, email text, at timestamptz)
returns void
language plpgsql volatile
as $$
declare
  v_name constant text := split_part(split_part(lower(plan_in_test.email collate "C"), '@', 1), '+', 1);
begin
  insert into invite.test_plans (workspace_id, at, invitation_id, behavior, score)
  select plan_in_test.workspace_id, plan_in_test.at + b.after, plan_in_test.invitation_id, b.behavior::invite.test_behavior,
    case when b.behavior = 'responds' then coalesce(substring(v_name from '^responds-(\d+)$'), '9')::smallint end
  from (values
    ('delivered', interval '2 seconds', v_name <> 'bounces', true),
    ('hard_bounce', interval '5 seconds', v_name = 'bounces', false),
    ('opens', interval '1 minute', v_name = 'scanner', true),
    ('complaint', interval '1 hour', v_name = 'complains', false),
    ('unsubscribes', interval '1 hour', v_name = 'unsubscribes', false),
    ('responds', interval '1 day', v_name ~ '^responds(-(\d|10))?$', false)
  ) as b (behavior, after, applies, each_time)
  where b.applies and (b.each_time or plan_in_test.message_number = 0)
    and lower(plan_in_test.email collate "C") like '%@sim.invalid'
  order by b.after;
end
$$;
comment on function invite.plan_in_test(text, bigint, smallint, text, timestamptz) is 'Plans what a simulated person does with an email that has just left.';
