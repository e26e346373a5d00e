/*
 * Of a batch, an invitation, or the survey, of which it looks at the first max_rows sent invitations.
 */
create function console.remindable(
  session_hash bytea, survey_id text, batch_id uuid default null, invitation_id bigint default null, max_rows integer default 10000
) returns integer
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_member invite.members := console.require_survey_role(remindable.session_hash, remindable.survey_id, 'editor');
begin
  return cardinality(invite.remindable(
    case
      when remindable.invitation_id is not null then
        array(select i.id from invite.invitations as i where i.id = remindable.invitation_id and i.survey_id = remindable.survey_id)
      when remindable.batch_id is not null then
        array(select i.id from invite.invitations as i where i.batch_id = remindable.batch_id and i.survey_id = remindable.survey_id)
      else invite.reminder_candidates(remindable.survey_id, 0, remindable.max_rows)
    end,
    invite.now_of(v_member.workspace_id)));
end
$$;
comment on function console.remindable(bytea, text, uuid, bigint, integer) is 'How many people would get a reminder now, for editors, admins and owners.';
