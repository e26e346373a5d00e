create or replace function invite.tg_responses__event() returns trigger
language plpgsql volatile
as $$
begin
  if not (select w.records_events from invite.surveys as s join invite.workspaces as w on w.id = s.workspace_id where s.id = new.survey_id) then
    return null;
  end if;
  insert into invite.new_events (type, at, survey_id, batch_id, invitation_id, response_id)
  select k.type::invite.event_type, new.submitted_at, new.survey_id, i.batch_id, i.id, new.id
  from (
    select 'response.submitted' as type
    union all
    select 'response.low_score'
    from invite.low_score(new.survey_id, new.questions_version, new.answers) as l
    where l.score is not null
  ) as k
  left join invite.invitations as i on i.id = new.invitation_id
  order by k.type::invite.event_type;
  return null;
end
$$;
comment on function invite.tg_responses__event() is 'Records a submitted response as an event, and a low score as another.';

create or replace trigger _700_event
  after insert on invite.responses
  for each row
  execute function invite.tg_responses__event();
comment on trigger _700_event on invite.responses is 'Records the submitted response as an event.';

/*
 * The counts follow every change of the responses: by a page, by the product, by a retention or by hand. The trigger only inserts rows, and
 * so waits for nobody.
 */
create or replace function invite.tg_responses__counted() returns trigger
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  if tg_op <> 'INSERT' then
    insert into invite.result_changes (survey_id, starts_at, question, value, number)
    select r.survey_id, date_bin('15 minutes', r.submitted_at, '2000-01-01 00:00Z'), a.question, a.value, -count(*)
    from (select d.survey_id, invite.every_question(d.survey_id) as questions from (select distinct x.survey_id from removed as x) as d offset 0) as s
    join removed as r on r.survey_id = s.survey_id
    cross join lateral invite.counted_answers(s.questions, r.answers, r.invitation_id) as a
    group by 1, 2, 3, 4;
  end if;
  if tg_op <> 'DELETE' then
    insert into invite.result_changes (survey_id, starts_at, question, value, number)
    select r.survey_id, date_bin('15 minutes', r.submitted_at, '2000-01-01 00:00Z'), a.question, a.value, count(*)
    from (select d.survey_id, invite.every_question(d.survey_id) as questions from (select distinct x.survey_id from added as x) as d offset 0) as s
    join added as r on r.survey_id = s.survey_id
    cross join lateral invite.counted_answers(s.questions, r.answers, r.invitation_id) as a
    group by 1, 2, 3, 4;
  end if;
  return null;
end
$$;
comment on function invite.tg_responses__counted() is 'Adds the answers of new responses to the counts, and subtracts those of deleted ones.';

create or replace trigger _500_added
  after insert on invite.responses
  referencing new table as added
  for each statement
  execute function invite.tg_responses__counted();
comment on trigger _500_added on invite.responses is 'Counts the answers of new responses.';

create or replace trigger _500_changed
  after update on invite.responses
  referencing old table as removed new table as added
  for each statement
  execute function invite.tg_responses__counted();
comment on trigger _500_changed on invite.responses is 'Counts the answers of changed responses again.';

create or replace trigger _500_removed
  after delete on invite.responses
  referencing old table as removed
  for each statement
  execute function invite.tg_responses__counted();
comment on trigger _500_removed on invite.responses is 'Subtracts the answers of deleted responses.';

/*
 * Only looks the rules of the survey up and inserts, so that a response waits for nobody.
 */
create or replace function invite.tg_responses__low_scores() returns trigger
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  insert into invite.low_scores (notified_id, response_id)
  select a.notified_id, r.id
  from added as r
  join invite.score_alerts as a on a.survey_id = r.survey_id
  where invite.score_of(r.answers, a.question) < a.below
  on conflict on constraint low_scores_pkey do nothing;
  if found then
    perform invite.wake_notifications();
  end if;
  return null;
end
$$;
comment on function invite.tg_responses__low_scores() is 'Notes for members which low scores they are to be told of.';

create or replace trigger _700_low_scores
  after insert on invite.responses
  referencing new table as added
  for each statement
  execute function invite.tg_responses__low_scores();
comment on trigger _700_low_scores on invite.responses is 'Notes low scores for members.';

/*
 * Comments have no foreign key, so that their index begins with the workspace. Locks: none but their own rows.
 */
create or replace function invite.tg_responses__comments() returns trigger
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  if tg_op <> 'INSERT' then
    delete from invite.comments as c
    using removed as r
    join invite.surveys as s on s.id = r.survey_id
    where c.workspace_id = s.workspace_id and c.submitted_at = r.submitted_at and c.response_id = r.id;
  end if;
  if tg_op <> 'DELETE' then
    perform invite.add_comments(array_agg(r.id)) from added as r where r.answers <> '{}';
  end if;
  return null;
end
$$;
comment on function invite.tg_responses__comments() is 'Keeps what finds the comments of new, changed and deleted responses.';

create or replace trigger _500_comments_added
  after insert on invite.responses
  referencing new table as added
  for each statement
  execute function invite.tg_responses__comments();
comment on trigger _500_comments_added on invite.responses is 'Adds the comments of new responses to what finds them.';

create or replace trigger _500_comments_changed
  after update on invite.responses
  referencing old table as removed new table as added
  for each statement
  execute function invite.tg_responses__comments();
comment on trigger _500_comments_changed on invite.responses is 'Replaces what finds the comments of changed responses.';

create or replace trigger _500_comments_removed
  after delete on invite.responses
  referencing old table as removed
  for each statement
  execute function invite.tg_responses__comments();
comment on trigger _500_comments_removed on invite.responses is 'Deletes what finds the comments of deleted responses.';
