/*
 * What happened is read where the product records it for customers: the events that this transaction has written.
 */
create or replace function invite.end_test_step(advance_id uuid, events_from bigint) returns void
language plpgsql volatile
as $$
begin
  with written as (
    select n.*, i.email
    from invite.test_advances as a
    join invite.surveys as s on s.workspace_id = a.workspace_id
    join invite.new_events as n on n.survey_id = s.id
    left join invite.invitations as i on i.id = n.invitation_id
    where a.id = end_test_step.advance_id and n.id > end_test_step.events_from
  )
  update invite.test_advances as a
  set
    counts = a.counts || coalesce((
      select jsonb_object_agg(c.type, c.number + coalesce((a.counts ->> c.type)::bigint, 0))
      from (select w.type::text as type, count(*) as number from written as w group by 1) as c
    ), '{}'),
    happened = a.happened || coalesce((
      select jsonb_agg(
        jsonb_strip_nulls(jsonb_build_object(
          'type', w.type, 'at', w.at, 'survey_id', w.survey_id, 'batch_id', w.batch_id, 'invitation_id', w.invitation_id,
          'email', w.email, 'message_kind', w.message_kind, 'code', w.code))
        order by w.id)
      from (select x.* from written as x order by x.id limit greatest(1000 - jsonb_array_length(a.happened), 0)) as w
    ), '[]')
  where a.id = end_test_step.advance_id;
end
$$;
comment on function invite.end_test_step(uuid, bigint) is 'Notes for the answer of an advance what has happened in this step.';
