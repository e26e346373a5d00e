/*
 * Each address's newest first; a whole address begins with itself, and comes first.
 *
 * Of all addresses that begin so, in any workspace, at most max_scanned are read: the hot table has no index by survey and address,
 * because each message would write it three times. So a short text may miss someone; a whole address does not.
 * ~<~ and its like compare bytes, as the index does; the last character there is closes the range. Pins: index order.
 */
create function console.search_invitations(
  survey_id text, search text, status invite.invitation_status, after_id bigint, max_rows integer, max_scanned integer default 5000,
  outcome invite.invitation_outcome default null
) returns bigint[]
language plpgsql stable
set enable_seqscan = off set enable_bitmapscan = off set jit = off
as $$
declare
  v_search text := lower(search_invitations.search collate "C");
  -- Of this survey: the page's beginning would otherwise tell how another's address compares.
  v_after text := (
    select lower(i.email) from invite.invitations as i
    where i.id = search_invitations.after_id and i.survey_id = search_invitations.survey_id);
  v_from text := case when v_after ~>~ v_search then v_after else v_search end;
begin
  return array(
    select c.id
    from (
      select i.id, i.survey_id, invite.display_status(i.status, i.message_kind) as status, lower(i.email) as address
      from invite.invitations as i
      where lower(i.email) ~>=~ v_from and lower(i.email) ~<~ (v_search || chr(1114111))
      order by lower(i.email) using ~<~
      limit search_invitations.max_scanned
    ) as c
    where c.survey_id = search_invitations.survey_id
      and (search_invitations.status is null or c.status = search_invitations.status)
      and (search_invitations.outcome is null or exists (
        select from invite.invitation_outcomes as o where o.invitation_id = c.id and o.outcome = search_invitations.outcome))
      and (v_after is null or c.address ~>~ v_after or c.id < search_invitations.after_id)
    order by c.address using ~<~, c.id desc
    limit search_invitations.max_rows);
end
$$;
comment on function console.search_invitations(text, text, invite.invitation_status, bigint, integer, integer, invite.invitation_outcome) is
  'The ids of a survey''s invitations whose address begins with a text, by address; bounded.';
