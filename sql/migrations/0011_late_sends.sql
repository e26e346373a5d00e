-- The signature changes (late_send_hours); re-created with the functions.
drop function if exists invite.claim_invitations(text, bigint[], uuid, timestamptz, text, numeric, uuid);
