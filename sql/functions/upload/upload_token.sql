/*
 * Its secret_hash is random, so that no secret has it: nobody can call the endpoint with it.
 * Locks: the survey (for key share, by the foreign key).
 */
create or replace function invite.upload_token(survey_id text) returns invite.trigger_tokens
language plpgsql volatile
as $$
declare
  v_token invite.trigger_tokens;
begin
  loop
    select t.* into v_token
    from invite.trigger_tokens as t
    where t.survey_id = upload_token.survey_id and t.is_by_hand and t.deleted_at is null;
    if found then
      return v_token;
    end if;
    insert into invite.trigger_tokens (survey_id, name, secret_hash, secret_hint, cooldown_seconds, is_by_hand)
    select s.id, 'Invited by hand', convert_to(w.home, 'UTF8') || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()), '', 0, true
    from invite.surveys as s
    join invite.workspaces as w on w.id = s.workspace_id
    where s.id = upload_token.survey_id
    on conflict do nothing;
  end loop;
end
$$;
comment on function invite.upload_token(text) is 'The token of a survey''s uploads, which is made if there is none.';
