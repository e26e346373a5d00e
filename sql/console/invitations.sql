/*
 * Newest first or, in a search, by address. Each kind of list has its index:
 *   a batch     all of it is read: a request has a bounded number of recipients
 *   a search    search_invitations
 *   an outcome  invitation_outcomes_survey_idx
 *   delayed     messages_ruled_idx
 *   otherwise   list_invitations
 * before_id: the last id of the previous page. delayed: only those that a rule has put off.
 */
create function console.invitations(
  session_hash bytea, survey_id text, status invite.message_status default null, search text default null,
  batch_id uuid default null, before_id bigint default null, max_rows integer default 50, outcome invite.invitation_outcome default null,
  delayed boolean default false
) returns setof console.invitation
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_status invite.message_status := invitations.status;
  v_search text := lower(invitations.search collate "C");
  v_ids bigint[];
begin
  perform console.require_survey_role(invitations.session_hash, invitations.survey_id, 'editor');
  if invitations.batch_id is not null then
    v_ids := array(
      select i.id
      from invite.invitations as i
      join invite.messages as m on m.invitation_id = i.id and m.is_last
      where i.batch_id = invitations.batch_id
        and i.survey_id = invitations.survey_id
        and (v_status is null or invite.display_status(m.status, m.message_kind) = v_status)
        and (invitations.outcome is null or exists (
          select from invite.invitation_outcomes as o where o.invitation_id = i.id and o.outcome = invitations.outcome))
        and (not invitations.delayed or m.status = 'queued' and m.rule is not null)
        and (v_search is null or starts_with(lower(i.email), v_search))
        and (invitations.before_id is null or i.id < invitations.before_id)
      -- Pins: opaque column, so that the batch is looked up and then sorted.
      order by i.id + 0 desc
      limit invitations.max_rows);
  elsif v_search is not null then
    v_ids := console.search_invitations(
      invitations.survey_id, v_search, v_status, invitations.before_id, invitations.max_rows, outcome => invitations.outcome,
      delayed => invitations.delayed);
  elsif invitations.outcome is not null then
    v_ids := array(
      select o.invitation_id
      from invite.invitation_outcomes as o
      -- Pins: open bound.
      where o.survey_id = invitations.survey_id and o.outcome = invitations.outcome
        and o.invitation_id < coalesce(invitations.before_id, 9223372036854775807)
      order by o.survey_id desc, o.outcome desc, o.invitation_id desc
      limit invitations.max_rows);
  elsif invitations.delayed then
    v_ids := array(
      select m.invitation_id
      from invite.messages as m
      -- Pins: open bound.
      where m.survey_id = invitations.survey_id and m.status = 'queued' and m.rule is not null
        and m.invitation_id < coalesce(invitations.before_id, 9223372036854775807)
      order by m.survey_id desc, m.invitation_id desc
      limit invitations.max_rows);
  else
    v_ids := console.list_invitations(
      invitations.survey_id, v_status, invitations.before_id, invitations.max_rows);
  end if;
  return query select l.* from console.invitation_lines(v_ids) as l;
end
$$;
comment on function console.invitations(bytea, text, invite.message_status, text, uuid, bigint, integer, invite.invitation_outcome, boolean) is
  'A page of a survey''s invitations, by status, outcome, delay, first characters of the address, or batch.';
