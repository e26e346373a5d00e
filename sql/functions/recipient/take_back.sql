/*
 * Can be repeated. Returns a row of nulls if the token is unknown. What rested for the choice is looked at again: first, because its messages
 * are locked before all else.
 */
create or replace function invite.take_back(unsubscribe_token text, choice invite.recipient_choice) returns invite.unsubscribe_page
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform invite.look_again(i.workspace_id, i.email)
  from invite.find_unsubscribe_link(take_back.unsubscribe_token) as i
  where exists (
    select from invite.recipient_choices as c where c.workspace_id = i.workspace_id and c.email = lower(i.email) and c.survey_id = ''
  );
  delete from invite.recipient_choices as c
  using invite.find_unsubscribe_link(take_back.unsubscribe_token) as i
  where c.workspace_id = i.workspace_id
    and c.email = lower(i.email)
    and c.survey_id = case take_back.choice when 'once_a_month' then '' when 'not_this_survey' then i.survey_id end;

  return invite.unsubscribe_page(take_back.unsubscribe_token);
end
$$;
comment on function invite.take_back(text, invite.recipient_choice) is
  'Deletes a choice of the recipient of an unsubscribe link.';
