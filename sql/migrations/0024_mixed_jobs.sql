-- A job looks at invitations of any surveys. The signature and the type change; re-created with the functions.

drop function if exists invite.claim_invitations(text, bigint[], uuid, timestamptz, text, numeric, uuid, integer);
alter type invite.wake drop attribute survey_id;
