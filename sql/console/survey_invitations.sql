/*
 * A page of a survey's invitations: newest first or, in a search, by address. Each way of looking has its index:
 *   a batch     all of it is read: a request has a bounded number of recipients
 *   a search    search_invitations
 *   otherwise   list_invitations
 * before_id: the last one of the page before. Called by: the HTTP process. Raises: P0002, 42501 (require_role).
 */
create or replace function invite.survey_invitations(
  session_hash bytea, survey_id text, status invite.invitation_status default null, search text default null,
  batch_id uuid default null, before_id bigint default null, max_rows integer default 50
) returns setof invite.invitation_line
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_status invite.invitation_status := survey_invitations.status;
  v_search text := lower(survey_invitations.search);
  v_ids bigint[];
begin
  perform invite.require_survey_role(survey_invitations.session_hash, survey_invitations.survey_id, 'editor');
  if survey_invitations.batch_id is not null then
    v_ids := array(
      select i.id
      from invite.invitations as i
      where i.batch_id = survey_invitations.batch_id
        and i.survey_id = survey_invitations.survey_id
        and (v_status is null or invite.shown_status(i.status, i.mail) = v_status)
        and (v_search is null or starts_with(lower(i.email), v_search))
        and (survey_invitations.before_id is null or i.id < survey_invitations.before_id)
      -- Not by the primary key: the batch is looked up, and then sorted.
      order by i.id + 0 desc
      limit survey_invitations.max_rows);
  elsif v_search is not null then
    v_ids := invite.search_invitations(
      survey_invitations.survey_id, v_search, v_status, survey_invitations.before_id, survey_invitations.max_rows);
  else
    v_ids := invite.list_invitations(
      survey_invitations.survey_id, v_status, survey_invitations.before_id, survey_invitations.max_rows);
  end if;
  return query select l.* from invite.invitation_lines(v_ids) as l;
end
$$;
comment on function invite.survey_invitations(bytea, text, invite.invitation_status, text, uuid, bigint, integer) is
  'A page of a survey''s invitations, by status, beginning of the address, or batch.';
