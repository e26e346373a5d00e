create or replace function invite.closing_code(before invite.surveys, after invite.surveys) returns text
language sql volatile
as $$
  select case
    when before.state <> 'active' or after.state <> 'closed' then null
    when before.closes_at <= invite.clock_of(before.workspace_id) then 'closing_date'
    when after.response_limit is not null and invite.responses_left(after) = 0 then 'response_limit'
  end
$$;
comment on function invite.closing_code(invite.surveys, invite.surveys) is
  'What closed a survey with this change: closing_date or response_limit. Null: a person or the product did, or nothing.';
