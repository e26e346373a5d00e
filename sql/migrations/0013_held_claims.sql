-- A parameter of recover_claims changes its meaning: from the claims that the worker knows of to those that it has lost.
drop function if exists invite.recover_claims(uuid, uuid[], timestamptz);
