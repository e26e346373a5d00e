/*
 * One invitation of a survey, with the metadata that its response will have. Called by: the HTTP process.
 * Raises: P0002 if the survey has no such invitation; P0002, 42501 (require_role).
 */
create or replace function invite.survey_invitation(session_hash bytea, survey_id text, invitation_id bigint) returns invite.invitation_line
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_line invite.invitation_line;
begin
  perform invite.require_survey_role(survey_invitation.session_hash, survey_invitation.survey_id, 'editor');
  if not exists (
    select from invite.invitations as i
    where i.id = survey_invitation.invitation_id and i.survey_id = survey_invitation.survey_id
  ) then
    raise exception 'there is no invitation % of this survey', survey_invitation.invitation_id using errcode = 'P0002';
  end if;
  select l.* into v_line from invite.invitation_lines(array[survey_invitation.invitation_id]) as l;
  select case when num_nonnulls(b.metadata, i.metadata) > 0 then coalesce(b.metadata, '{}') || coalesce(i.metadata, '{}') end
  into v_line.metadata
  from invite.invitations as i
  join invite.batches as b on b.id = i.batch_id
  where i.id = survey_invitation.invitation_id;
  return v_line;
end
$$;
comment on function invite.survey_invitation(bytea, text, bigint) is 'One invitation of a survey, without its link token.';
