-- With the owner's rights, because views ask it with those of their reader.
create or replace function invite.message_deadline(rules invite.survey_rules, message invite.messages) returns invite.deadline
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  return invite.deadline_of(
    rules, greatest(message.due_at, message.retried_at),
    case when message.number > 0 then
      (select f.sent_at from invite.messages as f where f.invitation_id = message.invitation_id and f.number = 0)
    end);
end
$$;
comment on function invite.message_deadline(invite.survey_rules, invite.messages) is 'deadline_of for a message.';
