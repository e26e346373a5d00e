/*
 * Terms and persons don't move with a workspace: terms are found by themselves only, and index_recipients may not have seen the newest recipients there.
 * Its copy gets them before the workspace is paused, and what came since then once it is here. Persons who were erased meanwhile go. Can be repeated.
 */
create or replace function invite.index_workspace(workspace_id text) returns void
language plpgsql volatile
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
begin
  insert into invite.search_terms (term, invitation_id)
  select t.term, i.id
  from invite.workspaces_with(index_workspace.workspace_id) as w
  join invite.surveys as s on s.workspace_id = w.id
  join invite.batches as b on b.survey_id = s.id
  join invite.invitations as i on i.batch_id = b.id
  cross join lateral unnest(
    invite.terms_of(i.workspace_id, coalesce(b.metadata, '{}') || coalesce(i.metadata, '{}'))) as t (term)
  where w.test_of is null
  order by t.term, i.id
  on conflict on constraint search_terms_pkey do nothing;
  perform invite.renew_persons(array_agg(p.workspace_id), array_agg(p.email))
  from invite.persons as p
  where p.workspace_id = index_workspace.workspace_id;
  perform invite.add_persons(array(
    select i.id
    from invite.workspaces_with(index_workspace.workspace_id) as w
    join invite.surveys as s on s.workspace_id = w.id
    join invite.batches as b on b.survey_id = s.id
    join invite.invitations as i on i.batch_id = b.id
    where w.test_of is null));
end
$$;
comment on function invite.index_workspace(text) is
  'Adds the recipients of a workspace that has come from another database to search_terms and persons.';
