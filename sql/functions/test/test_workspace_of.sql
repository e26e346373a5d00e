create or replace function invite.test_workspace_of(secret_hash bytea) returns text
language sql stable
as $$
  select case when w.moved_to is null then w.id else invite.refuse_moved(w.id, w.moved_to) end
  from invite.tokens_of(test_workspace_of.secret_hash) as k
  join invite.trigger_tokens as t on t.id = k.id
  join invite.surveys as s on s.id = t.survey_id
  join invite.workspaces as w on w.id = s.workspace_id
  where t.deleted_at is null and w.test_of is not null
$$;
comment on function invite.test_workspace_of(bytea) is 'The test workspace of the secret of a test token. Null: there is none.';
