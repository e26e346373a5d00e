/*
 * The invitations of a survey by status, each counted up to max_count by its partial index, and why the survey's mail is held.
 * Called by: the HTTP process. Raises: P0002, 42501 (require_role).
 */
create or replace function invite.survey_counts(session_hash bytea, survey_id text, max_count integer default 10000) returns invite.survey_counts
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
set enable_seqscan = off
as $$
declare
  s text := survey_counts.survey_id;
  n integer := survey_counts.max_count;
  v_counts invite.survey_counts;
begin
  perform invite.require_survey_role(survey_counts.session_hash, s, 'editor');
  select o.held_because into v_counts.held_because from invite.survey_overview as o where o.id = s;
  -- A statement a status: the partial indexes are found by constants only.
  select jsonb_build_object(
    'queued', (select count(*) from (select from invite.invitations as i where i.survey_id = s and i.status = 'queued' limit n) as c),
    'sending', (select count(*) from (select from invite.invitations as i where i.survey_id = s and i.status = 'sending' limit n) as c),
    'waiting', (select count(*) from (select from invite.invitations as i where i.survey_id = s and i.status = 'waiting' limit n) as c),
    'sent', (select count(*) from (select from invite.invitations as i where i.survey_id = s and i.status = 'sent' limit n) as c),
    'failed', (select count(*) from (select from invite.invitations as i where i.survey_id = s and i.status = 'failed' limit n) as c),
    'suppressed', (
      select count(*) from (select from invite.invitations as i where i.survey_id = s and i.status = 'suppressed' limit n) as c),
    'cancelled', (
      select count(*) from (select from invite.invitations as i where i.survey_id = s and i.status = 'cancelled' limit n) as c)
  ) into v_counts.counts;
  return v_counts;
end
$$;
comment on function invite.survey_counts(bytea, text, integer) is
  'The invitations of a survey by status, each counted up to max_count, and why its mail is held.';
