-- A signature changes; re-created with the functions.

drop function if exists invite.requeue_waiting(text, integer, timestamptz);
