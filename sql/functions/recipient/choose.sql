/*
 * Can be repeated. Returns a row of nulls if the token is unknown. The address of an erased invitation is not known any more: nothing is
 * written, and the page says so.
 *
 * Locks: the invitation (for key share), which those who erase or delete lock first: they find the choice, or the invitation is gone here.
 */
create or replace function invite.choose(unsubscribe_token text, choice invite.recipient_choice, at timestamptz default null)
returns invite.unsubscribe_page
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform
  from invite.invitations as i
  where i.id in (select f.id from invite.find_unsubscribe_link(choose.unsubscribe_token) as f)
  for key share;

  insert into invite.recipient_choices (workspace_id, email, survey_id, chosen_at)
  select
    i.workspace_id, lower(i.email), case choose.choice when 'once_a_month' then '' else i.survey_id end, invite.clock_of(i.workspace_id, invite.owner_time(choose.at))
  from invite.find_unsubscribe_link(choose.unsubscribe_token) as i
  where i.email is not null and choose.choice is not null
  on conflict on constraint recipient_choices_pkey do nothing;

  return invite.unsubscribe_page(choose.unsubscribe_token);
end
$$;
comment on function invite.choose(text, invite.recipient_choice, timestamptz) is
  'Records what the recipient of an unsubscribe link chose instead of unsubscribing.';
