create type console.response as (
  id bigint, submitted_at timestamptz, answers jsonb, questions jsonb, metadata jsonb, erased_at timestamptz, language text, invitation_id bigint,
  batch_id uuid, email text, name text, others jsonb, clicked_in_email text
);
comment on type console.response is
  'One response. questions: those that it answers, as they were asked. language: in which the questions were shown; null: nobody said. invitation_id: null for a response without a '
  'link. email, name, batch_id, others: null for viewers and without an invitation; email and name also after they were erased. others: the newest '
  'responses of the same person in the workspace, [{id, survey_id, survey_title, submitted_at, label, score}]; label and score: of the first question '
  'with a score; null: the response has none. '
  'clicked_in_email: as console.result.';

/*
 * By its id, or by its invitation: then it may not exist yet. Pins: lookup plan.
 * Raises: P0002 if the survey has no such response.
 */
create function console.response(
  session_hash bytea, survey_id text, response_id bigint default null, invitation_id bigint default null, max_others integer default 20
) returns console.response
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
declare
  v_member constant invite.members := console.require_survey_role(response.session_hash, response.survey_id, 'viewer');
  v_found invite.responses;
  v_response console.response;
begin
  if response.response_id is not null then
    select r.* into v_found from invite.responses as r where r.id = response.response_id and r.survey_id || '' = response.survey_id;
  else
    select r.* into v_found from invite.responses as r where r.invitation_id = response.invitation_id and r.survey_id || '' = response.survey_id;
  end if;
  if v_found.id is null then
    if response.response_id is null then
      return null;
    end if;
    raise exception 'there is no response % of this survey', response.response_id using errcode = 'P0002';
  end if;

  v_response.id := v_found.id;
  v_response.submitted_at := v_found.submitted_at;
  v_response.answers := v_found.answers;
  v_response.questions := invite.questions_as_asked(v_found.survey_id, v_found.questions_version);
  v_response.metadata := v_found.metadata;
  v_response.erased_at := v_found.erased_at;
  v_response.clicked_in_email := v_found.clicked_in_email;
  v_response.invitation_id := v_found.invitation_id;
  v_response.language := v_found.language;
  if v_found.invitation_id is null or v_member.role > 'editor' then
    return v_response;
  end if;

  select i.batch_id, i.email, i.name into v_response.batch_id, v_response.email, v_response.name
  from invite.invitations as i
  where i.id = v_found.invitation_id;
  select coalesce(jsonb_agg(
    jsonb_build_object(
      'id', o.id::text, 'survey_id', o.survey_id, 'survey_title', s.title, 'submitted_at', o.submitted_at,
      'label', q.label, 'score', o.answers -> q.id)
    order by o.submitted_at desc, o.id desc), '[]')
  into v_response.others
  from (
    select r.*
    from unnest(invite.invitations_to(v_member.workspace_id, lower(v_response.email collate "C"))) as n (id)
    join invite.responses as r on r.invitation_id = n.id
    where r.id <> v_found.id
    order by r.submitted_at desc, r.id desc
    limit response.max_others
  ) as o
  join invite.surveys as s on s.id = o.survey_id
  left join lateral (
    select q.question ->> 'id' as id, q.question ->> 'label' as label
    from jsonb_array_elements(invite.questions_as_asked(o.survey_id, o.questions_version)) with ordinality as q (question, place)
    where q.question ->> 'type' = 'score'
    order by q.place
    limit 1
  ) as q on true;
  return v_response;
end
$$;
comment on function console.response(bytea, text, bigint, bigint, integer) is
  'One response of a survey, with the person who gave it and that person''s other responses for editors and up. Null: the invitation has none.';
