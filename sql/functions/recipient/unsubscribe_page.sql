/*
 * Returns a row of nulls if the token is unknown; email is null if the invitation was erased.
 */
create or replace function invite.unsubscribe_page(unsubscribe_token text) returns invite.unsubscribe_page
language sql stable security definer
set search_path = pg_catalog, pg_temp
as $$
  select row(w.name, i.email, p.email is not null, coalesce(p.reason = 'unsubscribe', false), i.language, b.language, s.language,
    w.sender ->> 'accent_color')::invite.unsubscribe_page
  from invite.find_unsubscribe_link(unsubscribe_page.unsubscribe_token) as i
  join invite.batches as b on b.id = i.batch_id
  join invite.workspaces as w on w.id = b.workspace_id
  join invite.surveys as s on s.id = b.survey_id
  left join invite.suppressions as p on p.workspace_id = w.id and p.email = lower(i.email);
$$;
comment on function invite.unsubscribe_page(text) is 'What the unsubscribe page shows; never changes anything.';
