create or replace function invite.record_sign_out(email text, actor text, sessions integer) returns void
language sql volatile
as $$
  select invite.record_audit(
    m.workspace_id, record_sign_out.actor, 'signed_out', m.email, jsonb_build_object('sessions', record_sign_out.sessions))
  from invite.members as m
  where m.email = record_sign_out.email and record_sign_out.sessions > 0
$$;
comment on function invite.record_sign_out(text, text, integer) is
  'Records in the audit log of each of a person''s workspaces that sessions of that person were ended.';
