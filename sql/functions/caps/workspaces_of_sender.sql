/*
 * By what they and their trigger tokens are set to. Test workspaces send nothing, so they don't count. Reads all of them: for settings and reports,
 * not for each email.
 */
create or replace function invite.workspaces_of_sender(domain text) returns text[]
language sql stable
as $$
  select array(
    select w.id
    from invite.workspaces as w
    where w.test_of is null and (
      lower(w.sender ->> 'email' collate "C") like '%@' || workspaces_of_sender.domain
      or exists (
        select from invite.surveys as s
        join invite.trigger_tokens as t on t.survey_id = s.id
        where s.workspace_id = w.id and lower(t.sender ->> 'email' collate "C") like '%@' || workspaces_of_sender.domain))
    order by w.id)
$$;
comment on function invite.workspaces_of_sender(text) is 'The workspaces that send from a domain.';
