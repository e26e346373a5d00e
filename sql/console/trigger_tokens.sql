create type console.trigger_token as (
  id uuid, name text, secret_hint text, cooldown_seconds integer, default_subject text, default_message text,
  default_reminder_days integer, default_reminder_subject text, default_reminder_message text, last_accepted_at timestamptz,
  created_by text, created_at timestamptz, rejected integer, survey_public_url text
);
comment on type console.trigger_token is
  'A trigger token on its survey''s page. rejected: its rejected requests of the last 24 hours. survey_public_url: for the preview of its email.';

/*
 * The trigger tokens of a survey in the order in which they were created, for editors and up: a page of them, after an id; or one.
 */
create function console.trigger_tokens(
  session_hash bytea, survey_id text, token_id uuid default null, after_id uuid default null, max_rows integer default 50,
  at timestamptz default null
) returns setof console.trigger_token
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_now timestamptz := coalesce(trigger_tokens.at, clock_timestamp());
begin
  perform console.require_survey_role(trigger_tokens.session_hash, trigger_tokens.survey_id, 'editor');
  return query
    select
      t.id, t.name, t.secret_hint, t.cooldown_seconds, t.default_subject, t.default_message, t.default_reminder_days,
      t.default_reminder_subject, t.default_reminder_message, t.last_accepted_at, t.created_by, t.created_at,
      coalesce((
        select sum(r.rejected) from invite.rejections as r
        where r.trigger_token_id = t.id and r.hour > v_now - interval '24 hours'), 0)::integer,
      s.public_url
    from invite.trigger_tokens as t
    join invite.surveys as s on s.id = t.survey_id
    where t.survey_id = trigger_tokens.survey_id
      and t.deleted_at is null
      and (trigger_tokens.token_id is null or t.id = trigger_tokens.token_id)
      and (
        trigger_tokens.after_id is null
        or (t.created_at, t.id) > (
          select a.created_at, a.id from invite.trigger_tokens as a
          where a.id = trigger_tokens.after_id and a.survey_id = trigger_tokens.survey_id))
    order by t.created_at, t.id
    limit trigger_tokens.max_rows;
end
$$;
comment on function console.trigger_tokens(bytea, text, uuid, uuid, integer, timestamptz) is
  'A page of the trigger tokens of a survey, or one of them, for editors and up.';
