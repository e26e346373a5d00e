/*
 * The ids of the newest invitations of a survey, of one status or of all, before an id. At most max_rows of each status are read, by the
 * index that has it: hence a select for each, with its status as a constant, because a partial index is not found by a parameter.
 * Called by: survey_invitations. Locks: none.
 */
create or replace function invite.list_invitations(
  survey_id text, status invite.invitation_status, before_id bigint, max_rows integer
) returns bigint[]
language plpgsql stable
set enable_seqscan = off
as $$
declare
  s text := list_invitations.survey_id;
  v_status invite.invitation_status := list_invitations.status;
  v_before bigint := coalesce(list_invitations.before_id, 9223372036854775807);
  n integer := list_invitations.max_rows;
begin
  return array(
    select l.id
    from (
      (select i.id from invite.invitations as i where i.survey_id = s and i.status = 'queued' and i.id < v_before
        and coalesce(v_status, 'queued') = 'queued' order by i.id desc limit n)
      union all
      (select i.id from invite.invitations as i where i.survey_id = s and i.status = 'sending' and i.id < v_before
        and coalesce(v_status, 'sending') = 'sending' order by i.id desc limit n)
      union all
      (select i.id from invite.invitations as i where i.survey_id = s and i.status = 'waiting' and i.id < v_before
        and coalesce(v_status, 'waiting') = 'waiting' order by i.id desc limit n)
      union all
      (select i.id from invite.invitations as i where i.survey_id = s and i.status = 'sent' and i.id < v_before
        and coalesce(v_status, 'sent') = 'sent' order by i.id desc limit n)
      union all
      (select i.id from invite.invitations as i where i.survey_id = s and i.status = 'failed' and i.id < v_before
        and coalesce(v_status, 'failed') = 'failed' order by i.id desc limit n)
      union all
      (select i.id from invite.invitations as i where i.survey_id = s and i.status = 'suppressed' and i.id < v_before
        and coalesce(v_status, 'suppressed') = 'suppressed' order by i.id desc limit n)
      union all
      (select i.id from invite.invitations as i where i.survey_id = s and i.status = 'cancelled' and i.id < v_before
        and coalesce(v_status, 'cancelled') = 'cancelled' order by i.id desc limit n)
    ) as l
    order by l.id desc
    limit n);
end
$$;
comment on function invite.list_invitations(text, invite.invitation_status, bigint, integer) is
  'The ids of the newest invitations of a survey, of one status or (null) of all, before an id.';
