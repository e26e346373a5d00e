-- Signatures change; re-created with the functions.

drop function if exists invite.workspace_surveys(bytea, text, integer, integer);
drop function if exists invite.change_member(bytea, text, text, invite.member_role);
