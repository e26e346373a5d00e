/*
 * Returns a row of nulls if the token is unknown; email is null if the invitation was erased. The title is in the language of the survey's page.
 */
create or replace function invite.unsubscribe_page(unsubscribe_token text) returns invite.unsubscribe_page
language sql stable security definer
set search_path = pg_catalog, pg_temp
as $$
  select row(
    w.name, i.email, p.email is not null, coalesce(p.reason = 'unsubscribe', false), i.language, b.language, s.language,
    w.sender ->> 'accent_color', coalesce(s.translations -> n.tag ->> 'title', s.title),
    case when s.translations -> n.tag ? 'title' then n.tag else s.language end,
    array(
      select case c.survey_id when '' then 'once_a_month' else 'not_this_survey' end::invite.recipient_choice
      from invite.recipient_choices as c
      where c.workspace_id = w.id and c.email = lower(i.email) and c.survey_id in ('', s.id)
      order by c.survey_id
    ),
    w.id, s.id, i.id, w.wording, w.sender ->> 'logo_url', w.sender ->> 'logo_alt'
  )::invite.unsubscribe_page
  from invite.find_unsubscribe_link(unsubscribe_page.unsubscribe_token) as i
  join invite.batches as b on b.id = i.batch_id
  join invite.workspaces as w on w.id = b.workspace_id
  join invite.surveys as s on s.id = b.survey_id
  left join invite.suppressions as p on p.workspace_id = w.id and p.email = lower(i.email)
  cross join lateral (
    select case when s.translations is not null then
      nullif(invite.nearest_language(array[i.language, b.language], invite.page_languages(s), s.language), s.language)
    end as tag
  ) as n;
$$;
comment on function invite.unsubscribe_page(text) is 'What the unsubscribe page shows; never changes anything.';
