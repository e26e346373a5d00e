/*
 * Ordered by address, and for each address the newest first. A search for a whole address finds that address first, because it is the
 * shortest that begins so.
 *
 * At most max_scanned addresses of the workspace with these first characters are read, because they may belong to other surveys. A short
 * text may therefore miss a recipient; a whole address doesn't. Addresses are compared by bytes, and the upper bound of the range is the
 * text with the last Unicode character added. Pins: index order, offset 0 fence.
 */
create function console.search_invitations(
  survey_id text, search text, status invite.message_status, after_id bigint, max_rows integer, max_scanned integer default 5000,
  outcome invite.invitation_outcome default null, delayed boolean default false
) returns bigint[]
language plpgsql stable
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
declare
  v_search text := lower(search_invitations.search collate "C");
  v_workspace text := (select s.workspace_id from invite.surveys as s where s.id = search_invitations.survey_id);
  -- Only an invitation of this survey is accepted as after_id: otherwise a page would reveal how the address of another survey's invitation
  -- compares.
  v_after text := (
    select lower(i.email) from invite.invitations as i
    where i.id = search_invitations.after_id and i.survey_id = search_invitations.survey_id);
begin
  return array(
    select c.invitation_id
    from (
      select a.email, a.invitation_id
      from invite.addresses as a
      where a.workspace_id = v_workspace and a.email >= greatest(v_after collate "C", v_search) and a.email < v_search || chr(1114111)
      order by a.workspace_id, a.email
      limit search_invitations.max_scanned
    ) as c
    cross join lateral (
      select m.survey_id, invite.display_status(m.status, m.message_kind) as status, m.status = 'queued' and m.rule is not null as is_delayed
      from invite.messages as m
      where m.invitation_id = c.invitation_id and m.is_last
      offset 0
    ) as i
    where i.survey_id = search_invitations.survey_id
      and (search_invitations.status is null or i.status = search_invitations.status)
      and (search_invitations.outcome is null or exists (
        select from invite.invitation_outcomes as o where o.invitation_id = c.invitation_id and o.outcome = search_invitations.outcome))
      and (not search_invitations.delayed or i.is_delayed)
      and (v_after is null or c.email > v_after or c.invitation_id < search_invitations.after_id)
    order by c.email, c.invitation_id desc
    limit search_invitations.max_rows);
end
$$;
comment on function console.search_invitations(text, text, invite.message_status, bigint, integer, integer, invite.invitation_outcome, boolean) is
  'The ids of a survey''s invitations to addresses that begin with a text, by address; bounded.';
