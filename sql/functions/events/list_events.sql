/*
 * data is the same over SQL, HTTP and webhooks: {"workspace", "survey"}, and where they apply "batch", "invitation", "message" (invitation
 * or reminder), "code" (why it failed), "recipient" {"email", "name"}, "metadata", "recipients" (their number, in batch.accepted) and
 * "response" {"id", "answers", "language", "clicked_in_email" (a question's id)}, "low_score" {"question", "score", "below"}. What was erased or deleted
 * since then is null. data never contains a link or a secret.
 *
 * Each kind of query has its own index: all events, a workspace's or a survey's. The condition on survey_id or workspace_id is a range, and
 * that column is part of the order: so only the right index gives that order. The plan is kept, and each call runs one of its three
 * branches. Pins: lookup plan, index order.
 */
create or replace function invite.list_events(
  after bigint, max_rows integer, workspace_id text default null, survey_id text default null, types invite.event_type[] default null
) returns setof invite.event
language plpgsql stable
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off set jit = off
as $$
declare
  v_tests text[];
begin
  if num_nonnulls(list_events.workspace_id, list_events.survey_id) = 0 then
    v_tests := array(select w.id from invite.workspaces as w where w.test_of is not null);
  end if;
  return query
  select
    e.position, e.id, e.type, e.at, e.workspace_id, e.survey_id, e.batch_id, e.invitation_id, e.response_id,
    jsonb_build_object('workspace', e.workspace_id, 'survey', e.survey_id)
    || case when e.batch_id is null then '{}' else jsonb_build_object(
      'batch', e.batch_id, 'metadata', case when coalesce(b.metadata, i.metadata) is not null then coalesce(b.metadata, '{}') || coalesce(i.metadata, '{}') end)
    end
    || case when e.type <> 'batch.accepted' then '{}' else jsonb_build_object('recipients', b.recipients) end
    || case when e.invitation_id is null then '{}' else jsonb_build_object(
      'invitation', e.invitation_id::text, 'recipient', case when i.email is not null then jsonb_build_object('email', i.email, 'name', i.name) end)
    end
    || case when e.message_kind is null then '{}' else jsonb_build_object('message', e.message_kind) end
    || case when e.code is null then '{}' else jsonb_build_object('code', e.code) end
    || case when e.response_id is null then '{}' else jsonb_build_object(
      'response', jsonb_build_object('id', e.response_id::text, 'answers', r.answers, 'language', r.language)
        || case when r.clicked_in_email is null then '{}' else jsonb_build_object('clicked_in_email', r.clicked_in_email) end)
    end
    || case when e.type <> 'response.low_score' then '{}' else jsonb_build_object('low_score', (
      select jsonb_build_object('question', l.question, 'score', l.score, 'below', l.below)
      from invite.low_score(e.survey_id, r.questions_version, r.answers) as l
      where l.score is not null))
    end
  from (
    (
      select x.*
      from invite.events as x
      where list_events.survey_id is not null
        and (x.survey_id, x.position) > (list_events.survey_id, list_events.after) and x.survey_id <= list_events.survey_id
        and (list_events.workspace_id is null or x.workspace_id = list_events.workspace_id)
        and (list_events.types is null or x.type = any (list_events.types))
      order by x.survey_id, x.position
      limit list_events.max_rows
    )
    union all
    (
      select x.*
      from invite.events as x
      where list_events.survey_id is null and list_events.workspace_id is not null
        and (x.workspace_id, x.position) > (list_events.workspace_id, list_events.after) and x.workspace_id <= list_events.workspace_id
        and (list_events.types is null or x.type = any (list_events.types))
      order by x.workspace_id, x.position
      limit list_events.max_rows
    )
    union all
    (
      select x.*
      from invite.events as x
      where list_events.survey_id is null and list_events.workspace_id is null and not x.is_moved
        and x.position > list_events.after and x.workspace_id <> all (v_tests)
        and (list_events.types is null or x.type = any (list_events.types))
      order by x.position
      limit list_events.max_rows
    )
  ) as e
  left join invite.batches as b on b.id = e.batch_id
  left join invite.invitations as i on i.id = e.invitation_id
  left join invite.responses as r on r.id = e.response_id
  order by e.position;
end
$$;
comment on function invite.list_events(bigint, integer, text, text, invite.event_type[]) is
  'The events after a position, in order. workspace_id, survey_id and types limit them; null: no limit, but for test workspaces, whose events are listed by workspace or survey alone.';
