/*
 * A workspace has at most 10 lists that aren't sent: a further one replaces the oldest.
 * actor: as for record_audit.
 * Locks: the survey (for key share, by the foreign key), then the uploads that it deletes.
 * Raises: P0002.
 */
create or replace function invite.create_upload(survey_id text, name text, actor text default 'cli', at timestamptz default null) returns uuid
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_id uuid;
  v_workspace_id text;
begin
  perform invite.require_survey(create_upload.survey_id);
  select s.workspace_id into v_workspace_id from invite.surveys as s where s.id = create_upload.survey_id;
  insert into invite.uploads (workspace_id, survey_id, name, created_by, created_at)
  values (
    v_workspace_id, create_upload.survey_id, create_upload.name, create_upload.actor,
    invite.clock(invite.owner_time(create_upload.at)))
  returning id into v_id;
  delete from invite.uploads as u
  where u.id = any (array(
    select x.id
    from invite.uploads as x
    where x.workspace_id = v_workspace_id and x.state in ('reading', 'checked')
    order by x.created_at desc, x.id desc
    offset 10
    for update skip locked));
  return v_id;
end
$$;
comment on function invite.create_upload(text, text, text, timestamptz) is
  'Begins an upload: put_upload_lines adds its lines, check_upload ends it. Returns its id.';
