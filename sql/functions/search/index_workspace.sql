/*
 * Terms don't move with a workspace, because they are found by the term only: its copy gets them before the workspace is paused, and what came since then once it
 * is here. Can be repeated.
 */
create or replace function invite.index_workspace(workspace_id text) returns void
language sql volatile
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
  insert into invite.search_terms (term, invitation_id)
  select t.term, i.id
  from invite.workspaces_with(index_workspace.workspace_id) as w
  join invite.surveys as s on s.workspace_id = w.id
  join invite.batches as b on b.survey_id = s.id
  join invite.invitations as i on i.batch_id = b.id
  cross join lateral unnest(
    invite.terms_of(i.workspace_id, i.name, coalesce(b.metadata, '{}') || coalesce(i.metadata, '{}'))) as t (term)
  where w.test_of is null
  order by t.term, i.id
  on conflict on constraint search_terms_pkey do nothing
$$;
comment on function invite.index_workspace(text) is 'Adds the recipients of a workspace that has come from another database to search_terms.';
