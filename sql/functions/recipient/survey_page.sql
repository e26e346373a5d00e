/*
 * Works with and without a tracked link. questions_version: from a page that was opened before. The questions are those of that version, or
 * the current ones if that version was never asked. language: the one that the recipient has chosen on the page. browser_languages: asked for
 * last, before the survey's. Returns a row of nulls if there is no such survey. Only reads, because mail scanners open links.
 */
create or replace function invite.survey_page(
  survey_id text, invitation_token text default null, questions_version integer default null, language text default null,
  at timestamptz default null, browser_languages text[] default null
)
returns invite.survey_page
language sql stable security definer
set search_path = pg_catalog, pg_temp
as $$
  select row(
    case when w.moved_to is null then s.id else invite.refuse_moved(w.id, w.moved_to) end, w.name, s.title,
    -- The plan doesn't matter here: it allows the API trigger, not the page.
    case
      when invite.hold_reason(s, w, null) in ('workspace_suspended', 'survey_disabled') then 'closed'
      when s.state = 'active' and s.closes_at <= t.now then 'closed'
      else s.state
    end,
    coalesce(p.questions, s.questions),
    s.public_url,
    case
      when coalesce(survey_page.invitation_token, '') = '' then case when s.open_responses then 'none' else 'required' end
      when i.id is null then 'unknown'
      when i.responded_at is not null then 'responded'
      when s.link_days is not null and invite.is_link_expired(s, i.id, t.now) then 'expired'
      else 'open'
    end,
    coalesce(p.version, s.questions_version),
    s.thanks,
    coalesce(survey_page.language, i.language),
    b.language,
    s.language,
    s.public_url is not null or n.tag <> s.language or invite.is_translated(coalesce(p.questions, s.questions), s.thanks, s.button_label, null),
    case when n.tag <> s.language then jsonb_build_object('language', n.tag) || (s.translations -> n.tag) end,
    w.sender ->> 'accent_color',
    s.state = 'closed' and s.response_limit is not null and invite.responses_left(s) = 0,
    w.id,
    i.id,
    s.language || array_remove(l.tags, s.language),
    w.wording,
    s.button_label,
    s.button_url,
    w.sender ->> 'logo_url',
    w.sender ->> 'logo_alt'
  )::invite.survey_page
  from invite.surveys as s
  join invite.workspaces as w on w.id = s.workspace_id
  left join invite.find_link(survey_page.invitation_token) as i on i.survey_id = s.id
  left join invite.batches as b on b.id = i.batch_id
  left join invite.past_questions as p on p.survey_id = s.id and p.version = survey_page.questions_version
  cross join lateral (select coalesce(invite.owner_time(survey_page.at), w.test_now, invite.now()) as now) as t
  cross join lateral (
    select case when s.translations is null then '{}' else invite.page_languages(s, p.questions) end as tags
    offset 0
  ) as l
  cross join lateral (
    select case when l.tags <> '{}' then
      invite.nearest_language(array[survey_page.language, i.language, b.language] || survey_page.browser_languages, l.tags, s.language)
    end as tag
    offset 0
  ) as n
  where s.id = survey_page.survey_id;
$$;
comment on function invite.survey_page(text, text, integer, text, timestamptz, text[]) is 'What the survey page shows.';
