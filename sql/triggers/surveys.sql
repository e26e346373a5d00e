/*
 * Adds one job without looking for waiting invitations. So the update returns at once, and doesn't miss an invitation that a claim is about
 * to write.
 */
create or replace function invite.tg_surveys__sendable() returns trigger
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform graphile_worker.add_job('requeue_waiting', json_build_object('survey_id', new.id), priority => -1);
  return null;
end
$$;
comment on function invite.tg_surveys__sendable() is 'Queues the requeueing of a survey that has become sendable.';

create or replace trigger _500_sendable
  after update on invite.surveys
  for each row
  when (invite.hold_of_survey(new) is null and invite.hold_of_survey(old) is not null)
  execute function invite.tg_surveys__sendable();
comment on trigger _500_sendable on invite.surveys is 'Requeues waiting invitations when the survey becomes sendable.';

create or replace function invite.tg_surveys__activated() returns trigger
language plpgsql volatile
as $$
begin
  new.activated_at := invite.clock_of(new.workspace_id);
  return new;
end
$$;
comment on function invite.tg_surveys__activated() is 'Notes when the survey first became active.';

create or replace trigger _200_activated
  before insert or update of state on invite.surveys
  for each row
  when (new.state = 'active' and new.activated_at is null)
  execute function invite.tg_surveys__activated();
comment on trigger _200_activated on invite.surveys is 'Notes when the survey first became active: the delay of its emails counts from there.';

create or replace function invite.tg_surveys__rules_changed() returns trigger
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform invite.queue_looks('requeue_waiting', json_build_object('survey_id', new.id));
  return null;
end
$$;
comment on function invite.tg_surveys__rules_changed() is 'Queues two looks at what a rule of the survey has put off.';

create or replace trigger _500_rules
  after update on invite.surveys
  for each row
  when ((new.time_zone, new.max_delay_hours, new.link_days, new.closes_at) is distinct from (old.time_zone, old.max_delay_hours, old.link_days, old.closes_at))
  execute function invite.tg_surveys__rules_changed();
comment on trigger _500_rules on invite.surveys is 'Looks again at what a rule of the survey has put off.';

/*
 * A survey's batches and suppressions belong to its workspace, and after a move its waiting invitations would not be requeued.
 */
create or replace function invite.tg_surveys__workspace() returns trigger
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception 'survey % belongs to another workspace (surveys_other_workspace)', new.id
    using errcode = '23514', constraint = 'surveys_other_workspace', table = 'surveys', schema = 'invite';
end
$$;
comment on function invite.tg_surveys__workspace() is 'Rejects a change of a survey''s workspace.';

create or replace trigger _300_workspace
  before update of workspace_id on invite.surveys
  for each row
  when (new.workspace_id <> old.workspace_id)
  execute function invite.tg_surveys__workspace();
comment on trigger _300_workspace on invite.surveys is 'Keeps the survey in its workspace.';

/*
 * A change of its date or limit never reopens a survey that has ended, also in the moment before close_surveys writes its state. Before a
 * survey is activated again they are changed, at the latest in the same statement.
 */
create or replace function invite.tg_surveys__ends() returns trigger
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_now constant timestamptz := invite.clock_of(new.workspace_id);
  v_is_moved constant boolean := tg_op = 'INSERT' or new.closes_at is distinct from old.closes_at;
begin
  if new.closes_at <= v_now and v_is_moved then
    raise exception 'the closing date of survey % would be in the past (surveys_closes_at_past)', new.id
      using errcode = '23514', constraint = 'surveys_closes_at_past', table = 'surveys', schema = 'invite';
  end if;
  if tg_op = 'UPDATE' and old.state = 'active' and new.state = 'active' then
    if old.closes_at <= v_now and v_is_moved
      or new.response_limit is distinct from old.response_limit and new.response_limit is not null and invite.responses_left(new) = 0
    then
      new.state := 'closed';
    end if;
  elsif new.state = 'active' then
    if new.closes_at <= v_now then
      raise exception 'the closing date of survey % is past (surveys_closed_by_date)', new.id
        using errcode = '23514', constraint = 'surveys_closed_by_date', table = 'surveys', schema = 'invite';
    elsif new.response_limit is not null and invite.responses_left(new) = 0 then
      raise exception 'survey % has as many responses as its limit (surveys_closed_by_limit)', new.id
        using errcode = '23514', constraint = 'surveys_closed_by_limit', table = 'surveys', schema = 'invite';
    end if;
  end if;
  return new;
end
$$;
comment on function invite.tg_surveys__ends() is
  'Rejects a closing date in the past, and activating a survey that has ended; closes one that has as many responses as its new limit.';

create or replace trigger _350_ends
  before insert or update of state, closes_at, response_limit on invite.surveys
  for each row
  execute function invite.tg_surveys__ends();
comment on trigger _350_ends on invite.surveys is 'Checks what ends the survey.';

create or replace function invite.tg_surveys__closes() returns trigger
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform graphile_worker.add_job(
    'close_surveys', json_build_object('survey_id', new.id), run_at => new.closes_at, job_key => 'close_surveys:' || new.id, priority => -1);
  return null;
end
$$;
comment on function invite.tg_surveys__closes() is 'Queues the job that closes a survey at its date, or moves it.';

create or replace trigger _500_closes
  after insert or update of closes_at on invite.surveys
  for each row
  when (new.closes_at is not null)
  execute function invite.tg_surveys__closes();
comment on trigger _500_closes on invite.surveys is 'Queues the job that closes the survey at its date.';

/*
 * This isn't a check constraint, because a constraint can't name the invalid question.
 */
create or replace function invite.tg_surveys__questions() returns trigger
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_error jsonb;
begin
  if tg_op = 'UPDATE' and new.questions is not distinct from old.questions then
    return new;
  end if;
  v_error := invite.validate_questions(new.questions);
  if v_error is null and tg_op = 'UPDATE' then
    if old.state <> 'draft' or exists (select from invite.responses as r where r.survey_id = old.id) then
      insert into invite.past_questions (survey_id, version, questions) values (old.id, old.questions_version, old.questions);
    end if;
    new.questions_version := old.questions_version + 1;
    v_error := invite.asked_otherwise(new.id, new.questions);
  end if;
  if v_error is not null then
    raise exception '% (surveys_questions_form)',
      concat_ws(' ', 'question', v_error ->> 'question', 'is invalid:', v_error ->> 'code', v_error ->> 'field')
      using errcode = '23514', constraint = 'surveys_questions_form', detail = v_error, table = 'surveys', schema = 'invite';
  end if;
  return new;
end
$$;
comment on function invite.tg_surveys__questions() is
  'Rejects questions that the survey page cannot show, and questions whose answers would be mixed with answers to other questions; names the '
  'invalid one. Keeps the earlier questions.';

create or replace trigger _400_questions
  before insert or update of questions on invite.surveys
  for each row
  execute function invite.tg_surveys__questions();
comment on trigger _400_questions on invite.surveys is 'Checks the form of the questions, and keeps the earlier ones.';

/*
 * A new question's id may already be a key of stored answers, because a product can store any answers. Mostly it is none, which only all responses of
 * the survey tell: they are read once for all new questions. Pins: lookup plan.
 */
create or replace function invite.tg_surveys__recount() returns trigger
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp set enable_seqscan = off set jit = off
as $$
declare
  v_new constant text[] := array(
    select q.value ->> 'id'
    from jsonb_array_elements(new.questions) as q
    where not exists (
        select from invite.past_questions as p
        where p.survey_id = new.id and p.questions @> jsonb_build_array(jsonb_build_object('id', q.value -> 'id')))
      and not old.questions @> jsonb_build_array(jsonb_build_object('id', q.value -> 'id', 'type', q.value -> 'type')));
begin
  if v_new <> '{}' and exists (select from invite.responses as r where r.survey_id = new.id and r.answers ?| v_new) then
    perform invite.recount_results(new.id, n.id) from unnest(v_new) as n (id);
  end if;
  return null;
end
$$;
comment on function invite.tg_surveys__recount() is 'Counts the stored answers to a new question.';

create or replace trigger _550_recount
  after update of questions on invite.surveys
  for each row
  when (new.questions <> old.questions)
  execute function invite.tg_surveys__recount();
comment on trigger _550_recount on invite.surveys is 'Counts the answers to new questions.';

/*
 * It is a trigger, because a plain update is enough to change a survey.
 */
create or replace function invite.tg_surveys__audit() returns trigger
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_code constant text := invite.closing_code(old, new);
begin
  perform invite.record_audit(
    new.workspace_id, case when c.detail ->> 'because' is not null then 'service' else invite.current_actor() end,
    c.action, new.title, c.detail)
  from (
    values
      (
        new.state <> old.state, 'survey_state_changed'::invite.audit_action,
        jsonb_build_object('from', old.state, 'to', new.state, 'because', v_code)
      ),
      (old.disabled_at is null and new.disabled_at is not null, 'survey_disabled', '{}'),
      (old.disabled_at is not null and new.disabled_at is null, 'survey_enabled', '{}'),
      (old.paused_at is null and new.paused_at is not null, 'sending_paused', '{"scope": "survey"}'),
      (old.paused_at is not null and new.paused_at is null, 'sending_resumed', '{"scope": "survey"}'),
      (
        (
          new.title, new.questions_version, new.public_url, new.open_responses, new.thanks, new.language, new.translations,
          new.button_label, new.button_url, new.link_days, new.response_limit, new.closes_at
        ) is distinct from (
          old.title, old.questions_version, old.public_url, old.open_responses, old.thanks, old.language, old.translations,
          old.button_label, old.button_url, old.link_days, old.response_limit, old.closes_at
        ),
        'survey_changed',
        jsonb_build_object(
          'changed', array_remove(array[
            case when new.title <> old.title then 'title' end,
            case when new.questions_version <> old.questions_version then 'questions' end,
            case when new.public_url is distinct from old.public_url then 'public_url' end,
            case when new.open_responses <> old.open_responses then 'open_responses' end,
            case when new.thanks is distinct from old.thanks then 'thanks' end,
            case when (new.button_label, new.button_url) is distinct from (old.button_label, old.button_url) then 'button' end,
            case when new.language <> old.language then 'language' end,
            case when new.translations is distinct from old.translations then 'translations' end,
            case when new.link_days is distinct from old.link_days then 'link_days' end,
            case when new.response_limit is distinct from old.response_limit then 'response_limit' end,
            case when new.closes_at is distinct from old.closes_at then 'closes_at' end
          ], null),
          'language', case when new.language <> old.language then new.language end,
          'translations', case when new.translations is distinct from old.translations then array(
            select coalesce(o.key, n.key)
            from jsonb_each(coalesce(old.translations, '{}')) as o
            full join jsonb_each(coalesce(new.translations, '{}')) as n on n.key = o.key
            where o.value is distinct from n.value
            order by 1) end)
      ),
      (
        (new.time_zone, new.max_delay_hours) is distinct from (old.time_zone, old.max_delay_hours),
        'rules_changed',
        invite.changed_rules(to_jsonb(old), to_jsonb(new))
      )
  ) as c (changed, action, detail)
  where c.changed;
  return null;
end
$$;
comment on function invite.tg_surveys__audit() is 'Records in the audit log who changed a survey.';

create or replace trigger _600_audit
  after update on invite.surveys
  for each row
  when (new is distinct from old)
  execute function invite.tg_surveys__audit();
comment on trigger _600_audit on invite.surveys is 'Records in the audit log who changed the survey.';

create or replace function invite.tg_surveys__created() returns trigger
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform invite.record_audit(new.workspace_id, invite.current_actor(), 'survey_created', new.title, jsonb_build_object('survey', new.id));
  return null;
end
$$;
comment on function invite.tg_surveys__created() is 'Records in the audit log who created a survey.';

create or replace trigger _600_created
  after insert on invite.surveys
  for each row
  execute function invite.tg_surveys__created();
comment on trigger _600_created on invite.surveys is 'Records in the audit log who created the survey.';

create or replace function invite.tg_surveys__event() returns trigger
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  insert into invite.new_events (type, at, survey_id, code)
  select
    case new.state when 'active' then 'survey.activated' else 'survey.closed' end::invite.event_type, coalesce(w.test_now, invite.clock()), new.id,
    invite.closing_code(old, new)
  from invite.workspaces as w
  where w.id = new.workspace_id and w.records_events;
  return null;
end
$$;
comment on function invite.tg_surveys__event() is 'Records as an event that a survey was activated or closed.';

-- After any update: a change of its date or limit may close it.
create or replace trigger _700_event
  after update on invite.surveys
  for each row
  when (new.state <> old.state and new.state in ('active', 'closed'))
  execute function invite.tg_surveys__event();
comment on trigger _700_event on invite.surveys is 'Records as an event that the survey was activated or closed.';

create or replace function invite.tg_surveys__translations() returns trigger
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_place constant text := invite.survey_translation_error(new.translations);
begin
  if v_place is not null then
    raise exception 'the translation is invalid at % (surveys_translations_form)', v_place
      using errcode = '23514', constraint = 'surveys_translations_form', detail = jsonb_build_object('place', left(v_place, 200)),
        table = 'surveys', schema = 'invite';
  end if;
  return new;
end
$$;
comment on function invite.tg_surveys__translations() is 'Rejects translations of a wrong form, and names the invalid place.';

create or replace trigger _400_translations
  before insert or update of translations on invite.surveys
  for each row
  when (new.translations is not null)
  execute function invite.tg_surveys__translations();
comment on trigger _400_translations on invite.surveys is 'Checks the form of the translations.';

/*
 * The translation of a renamed choice goes with it, and translated_from says what the choice was called, so that it is marked as outdated.
 */
create or replace function invite.tg_surveys__choices() returns trigger
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_language text;
  v_renamed record;
  v_choices text[];
  v_before jsonb;
begin
  for v_renamed in select r.* from invite.renamed_choices(old.questions, new.questions) as r loop
    foreach v_language in array array(select jsonb_object_keys(new.translations)) loop
      v_choices := array[v_language, 'questions', v_renamed.question, 'choices'];
      continue when not coalesce(new.translations #> v_choices ? v_renamed.before, false);
      new.translations := jsonb_set(
        new.translations, v_choices,
        (new.translations #> v_choices) - v_renamed.before
          || jsonb_build_object(v_renamed.after, new.translations #> (v_choices || v_renamed.before)));
      v_before := coalesce(new.translated_from #> array[v_language, 'choices', v_renamed.question], '{}');
      new.translated_from := jsonb_set(
        coalesce(new.translated_from, '{}'), array[v_language],
        coalesce(new.translated_from -> v_language, '{}') || jsonb_build_object(
          'choices', coalesce(new.translated_from #> array[v_language, 'choices'], '{}') || jsonb_build_object(
            v_renamed.question, v_before - v_renamed.before
              || jsonb_build_object(v_renamed.after, coalesce(v_before -> v_renamed.before, to_jsonb(v_renamed.before))))));
    end loop;
  end loop;
  return new;
end
$$;
comment on function invite.tg_surveys__choices() is 'Lets renamed choices keep their translations.';

create or replace function invite.tg_surveys__choice_ids() returns trigger
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  new.questions := invite.with_choice_ids(case when tg_op = 'UPDATE' then old.questions end, new.questions);
  return new;
end
$$;
comment on function invite.tg_surveys__choice_ids() is 'Gives the choices of the questions their ids.';

create or replace trigger _380_choice_ids
  before insert or update of questions on invite.surveys
  for each row
  execute function invite.tg_surveys__choice_ids();
comment on trigger _380_choice_ids on invite.surveys is 'Gives each choice the id that it had before, or one of its own.';

create or replace trigger _390_choices
  before update of questions on invite.surveys
  for each row
  when (new.translations is not null and new.translations = old.translations and new.questions <> old.questions)
  execute function invite.tg_surveys__choices();
comment on trigger _390_choices on invite.surveys is 'Lets renamed choices keep their translations.';

/*
 * A copy of a survey may have a time zone that the server no longer knows.
 */
create or replace function invite.tg_surveys__time_zone() returns trigger
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  if not invite.is_time_zone(new.time_zone) then
    raise exception 'there is no time zone % (surveys_time_zone_known)', new.time_zone
      using errcode = '23514', constraint = 'surveys_time_zone_known', table = 'surveys', schema = 'invite';
  end if;
  return new;
end
$$;
comment on function invite.tg_surveys__time_zone() is 'Rejects a time zone that the server doesn''t know.';

create or replace trigger _400_time_zone
  before update of time_zone on invite.surveys
  for each row
  when (new.time_zone is not null and new.time_zone is distinct from old.time_zone)
  execute function invite.tg_surveys__time_zone();
comment on trigger _400_time_zone on invite.surveys is 'Checks the time zone.';

/*
 * A plain update is enough to change a survey; here it would be lost with the old copy. The deletion of the copy may do it.
 */
create or replace function invite.tg_surveys__moved() returns trigger
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform invite.require_workspace(new.workspace_id);
  return new;
end
$$;
comment on function invite.tg_surveys__moved() is 'Rejects a survey of a workspace that is in another database or on its way there.';

create or replace trigger _050_moved
  before insert or update on invite.surveys
  for each row
  when (new.deletion_started_at is null)
  execute function invite.tg_surveys__moved();
comment on trigger _050_moved on invite.surveys is 'Keeps what has moved as it was.';
