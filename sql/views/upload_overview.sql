create or replace view invite.upload_overview as
select
  u.id, u.survey_id, u.workspace_id, u.name, u.state, u.waits_for, u.lines, u.people, u.accepted,
  (
    select jsonb_object_agg(n.outcome, n.number)
    from (select l.outcome, count(*) as number from invite.upload_lines as l where l.upload_id = u.id group by l.outcome) as n
  ) as unaccepted,
  (select count(*) from invite.upload_batches as b where b.upload_id = u.id) as batches,
  u.created_by, u.sent_by, u.created_at, u.sent_at, u.send_at, u.ended_at
from invite.uploads as u;
comment on view invite.upload_overview is
  'The lists of people that were uploaded. unaccepted: lines that aren''t invited, yet or at all, by what becomes of them.';
