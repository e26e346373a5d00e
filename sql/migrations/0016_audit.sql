-- The audit log. The functions that change members and tokens get an argument more, the actor; re-created with the functions.

create table invite.audit_log (
  id bigint generated always as identity,
  workspace_id text collate "C" not null,
  at timestamptz not null default clock_timestamp(),
  actor text not null,
  action text not null,
  subject text not null,
  detail jsonb not null default '{}',
  constraint audit_log_pkey primary key (id),
  constraint audit_log_workspace_fkey foreign key (workspace_id) references invite.workspaces (id) on delete cascade,
  constraint audit_log_action_format check (action ~ '^[a-z_]{1,64}$'),
  constraint audit_log_detail_object check (jsonb_typeof(detail) = 'object')
);
comment on table invite.audit_log is 'Who changed members and tokens, when, and what. Rows are only ever added. No secrets.';
comment on column invite.audit_log.actor is 'Address of the member who did it, or cli for the command line and a product''s own calls.';
comment on column invite.audit_log.action is 'What was done, such as member_added or token_deleted.';
comment on column invite.audit_log.subject is 'Whom or what it was done to: a member''s address, a token''s name.';
comment on column invite.audit_log.detail is 'What the action says besides, such as the role.';

create index audit_log_workspace_idx on invite.audit_log (workspace_id, id desc);
comment on index invite.audit_log_workspace_idx is 'The newest entries of a workspace.';

drop function if exists invite.upsert_member(text, text, invite.member_role);
drop function if exists invite.remove_member(text, text);
drop function if exists invite.update_trigger_token(uuid, text, integer, text, text, integer, text, text);
drop function if exists invite.delete_trigger_token(uuid);
