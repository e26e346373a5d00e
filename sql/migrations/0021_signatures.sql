-- Signatures that change; re-created with the functions.

drop function if exists invite.requeue_waiting(text, integer, timestamptz);
drop function if exists invite.check_triggers(jsonb, integer[], timestamptz);
