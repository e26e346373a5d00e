create type console.survey_title as (survey_id text, title text, state invite.survey_state, is_being_deleted boolean);
comment on type console.survey_title is 'A survey to choose.';

-- Without the numbers of console.surveys, which take long. Pins: lookup plan, index order.
create function console.survey_titles(session_hash bytea, workspace_id text, max_surveys integer default 200) returns setof console.survey_title
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
set enable_seqscan = off set enable_bitmapscan = off set jit = off
as $$
begin
  perform console.require_role(survey_titles.session_hash, survey_titles.workspace_id, 'viewer');
  return query
  select s.id, s.title, s.state, s.deletion_started_at is not null
  from invite.surveys as s
  where s.workspace_id = survey_titles.workspace_id
  order by s.created_at desc, s.id
  limit survey_titles.max_surveys;
end
$$;
comment on function console.survey_titles(bytea, text, integer) is 'The newest surveys of a workspace, for a form in which one is chosen.';
