create or replace function invite.sender_of(workspace_sender jsonb, token_sender jsonb) returns jsonb
language sql immutable parallel safe
as $$
  select case
    when token_sender is null then workspace_sender
    when workspace_sender is null then token_sender
    else workspace_sender || token_sender
  end
$$;
comment on function invite.sender_of(jsonb, jsonb) is 'The sender of an email: the workspace''s settings, replaced by those that the token sets.';
