create type console.recipient_choice as (choice invite.recipient_choice, survey_title text, chosen_at timestamptz);
comment on type console.recipient_choice is
  'What a recipient chose instead of unsubscribing. survey_title: of the survey about which they want no email.';

create function console.recipient_choices(
  session_hash bytea, workspace_id text, invitation_id bigint, max_rows integer default 20
) returns setof console.recipient_choice
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
begin
  perform console.require_role(recipient_choices.session_hash, recipient_choices.workspace_id, 'editor');
  return query
    select case c.survey_id when '' then 'once_a_month' else 'not_this_survey' end::invite.recipient_choice, s.title, c.chosen_at
    from invite.invitations as i
    join invite.recipient_choices as c on c.workspace_id = i.workspace_id and c.email = lower(i.email)
    left join invite.surveys as s on s.id = c.survey_id
    where i.id = recipient_choices.invitation_id and i.workspace_id = recipient_choices.workspace_id
    order by c.survey_id <> '', c.chosen_at desc, c.survey_id
    limit recipient_choices.max_rows;
end
$$;
comment on function console.recipient_choices(bytea, text, bigint, integer) is
  'What the recipient of an invitation chose instead of unsubscribing, in all surveys of the workspace; bounded.';
