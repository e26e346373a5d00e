/*
 * Null if the person is no owner any more. email: null for the operator.
 */
create or replace function invite.find_guard_notice(workspace_id text, email text) returns text
language sql stable
as $$
  select w.name
  from invite.workspaces as w
  where w.id = find_guard_notice.workspace_id
    and (find_guard_notice.email is null or exists (
      select from invite.members as m where m.workspace_id = w.id and m.email = find_guard_notice.email and m.role = 'owner'))
$$;
comment on function invite.find_guard_notice(text, text) is 'The name of a workspace for an email of the guard; null: it isn''t to be sent any more.';
