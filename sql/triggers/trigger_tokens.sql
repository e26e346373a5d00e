create or replace function invite.tg_trigger_tokens__sender() returns trigger
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform invite.require_sender(new.sender, 'trigger_tokens');
  return new;
end
$$;
comment on function invite.tg_trigger_tokens__sender() is 'Rejects a sender with a setting of a wrong form.';

create or replace trigger _400_sender
  before insert or update of sender on invite.trigger_tokens
  for each row
  when (new.sender is not null)
  execute function invite.tg_trigger_tokens__sender();
comment on trigger _400_sender on invite.trigger_tokens is 'Checks the form of the sender.';

create or replace function invite.tg_trigger_tokens__translations() returns trigger
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_place constant text := invite.token_translation_error(new.translations);
begin
  if v_place is not null then
    raise exception 'the translation is invalid at % (trigger_tokens_translations_form)', v_place
      using errcode = '23514', constraint = 'trigger_tokens_translations_form', detail = jsonb_build_object('place', left(v_place, 200)),
        table = 'trigger_tokens', schema = 'invite';
  end if;
  return new;
end
$$;
comment on function invite.tg_trigger_tokens__translations() is 'Rejects translations of a wrong form, and names the invalid place.';

create or replace trigger _400_translations
  before insert or update of translations on invite.trigger_tokens
  for each row
  when (new.translations is not null)
  execute function invite.tg_trigger_tokens__translations();
comment on trigger _400_translations on invite.trigger_tokens is 'Checks the form of the translations.';

/*
 * Only what is changed: a text of an older version can stay. A request's own texts are sent as they are, with a warning to its sender.
 */
create or replace function invite.tg_trigger_tokens__variables() returns trigger
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform invite.require_variables(null, jsonb_object_agg(t.key, t.value))
  from (
    select n.key, n.value
    from jsonb_each(to_jsonb(new)) as n
    where n.key in ('default_subject', 'default_message', 'default_reminder_subject', 'default_reminder_message')
      and n.value is distinct from to_jsonb(old) -> n.key
    union all
    select n.key, n.value
    from jsonb_each(new.sender) as n
    where n.key in ('recipient_word', 'greeting_without_name', 'subject_without_name', 'button_text', 'preheader')
      and n.value is distinct from to_jsonb(old) -> 'sender' -> n.key
  ) as t;
  return new;
end
$$;
comment on function invite.tg_trigger_tokens__variables() is 'Rejects texts of the token with a variable that there isn''t.';

create or replace trigger _410_variables
  before insert or update of default_subject, default_message, default_reminder_subject, default_reminder_message, sender on invite.trigger_tokens
  for each row
  execute function invite.tg_trigger_tokens__variables();
comment on trigger _410_variables on invite.trigger_tokens is 'Checks the variables in the default texts and the sender''s.';

create or replace function invite.tg_trigger_tokens__rules() returns trigger
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform invite.queue_looks('requeue_waiting', json_build_object('survey_id', new.survey_id));
  return null;
end
$$;
comment on function invite.tg_trigger_tokens__rules() is 'Queues two looks at what rests in the token''s survey.';

create or replace trigger _500_rules
  after update on invite.trigger_tokens
  for each row
  when (new.ignores_rest and not old.ignores_rest)
  execute function invite.tg_trigger_tokens__rules();
comment on trigger _500_rules on invite.trigger_tokens is 'Looks again at what rests, once the token ignores rests.';

/*
 * A token that is changed or deleted in an old copy would still be as it was where the workspace is. The deletion of the copy may do it.
 */
create or replace function invite.tg_trigger_tokens__moved() returns trigger
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform invite.require_survey(s.id) from invite.surveys as s where s.id = new.survey_id and s.deletion_started_at is null;
  return new;
end
$$;
comment on function invite.tg_trigger_tokens__moved() is 'Rejects a change of a token whose workspace is in another database or on its way there.';

create or replace trigger _050_moved
  before update on invite.trigger_tokens
  for each row
  execute function invite.tg_trigger_tokens__moved();
comment on trigger _050_moved on invite.trigger_tokens is 'Keeps what has moved as it was.';
