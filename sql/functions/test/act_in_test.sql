/*
 * Does what the simulated person or the relay would do, by the same functions as when it is real.
 */
create or replace function invite.act_in_test(plan invite.test_plans) returns void
language plpgsql volatile
as $$
declare
  v_invitation invite.invitations;
  v_link text;
begin
  select i.* into v_invitation from invite.invitations as i where i.id = plan.invitation_id;
  v_link := invite.link_token(v_invitation);
  case
    when plan.behavior in ('delivered', 'hard_bounce', 'complaint') then
      perform invite.record_relay_events('test', jsonb_build_array(jsonb_build_object(
        'event_id', plan.id, 'type', plan.behavior, 'occurred_at', plan.at, 'invitation_id', plan.invitation_id, 'email', v_invitation.email)));
    when plan.behavior = 'unsubscribes' then
      perform invite.unsubscribe_recipient(plan.invitation_id, plan.at);
    when plan.behavior = 'responds' then
      perform invite.submit_response(
        v_invitation.survey_id,
        (select invite.simulated_answers(s.questions, plan.score) from invite.surveys as s where s.id = v_invitation.survey_id), v_link, plan.at);
    -- A scanner of links, which must change nothing.
    when plan.behavior = 'opens' then
      perform invite.survey_page(v_invitation.survey_id, v_link, at => plan.at);
  end case;
end
$$;
comment on function invite.act_in_test(invite.test_plans) is 'Does what was planned for a simulated person.';
