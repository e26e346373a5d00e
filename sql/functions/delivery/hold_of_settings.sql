create or replace function invite.hold_of_settings(settings invite.settings) returns invite.hold_reason
language sql immutable
as $$
  select case when settings.paused_at is not null then 'sending_paused'::invite.hold_reason end
$$;
comment on function invite.hold_of_settings(invite.settings) is 'Why all email is held; null: it isn''t.';
