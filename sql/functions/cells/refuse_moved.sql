/*
 * Raises: IT503, so that a server answers 503 and its client tries again: through a router, that then reaches the other database. It returns nothing, and
 * has a result for expressions.
 */
create or replace function invite.refuse_moved(workspace_id text, moved_to text) returns text
language plpgsql stable
as $$
begin
  raise exception 'workspace % moves or has moved to cell %', refuse_moved.workspace_id, refuse_moved.moved_to using errcode = 'IT503';
end
$$;
comment on function invite.refuse_moved(text, text) is 'Raises the error that says where a workspace is now.';
