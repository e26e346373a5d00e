-- With the owner's rights, because views ask it with those of their reader.
create or replace function invite.has_declined(rules invite.survey_rules, email text) returns boolean
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  return rules.has_choices and exists (
    select from invite.recipient_choices as c
    where c.workspace_id = rules.workspace_id and c.email = lower(has_declined.email collate "C") and c.survey_id = rules.survey_id
  );
end
$$;
comment on function invite.has_declined(invite.survey_rules, text) is 'Whether a recipient wants no email about the survey of these rules.';
