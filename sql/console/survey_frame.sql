create type console.survey_frame as (
  survey_id text, title text, state invite.survey_state, workspace_id text, workspace_name text, role invite.member_role,
  hold_reason invite.hold_reason, paused_at timestamptz, paused_by text, missing_steps text[], is_being_deleted boolean,
  has_draft boolean
);
comment on type console.survey_frame is
  'What the pages of a survey show around their content, the role of the member, and why the survey''s email is held (null: it isn''t). '
  'paused_at: since when sending is paused for this survey, and paused_by: by whom, for owners and admins. missing_steps: of questions, test, activate and invite, in this order, '
  'those that it hasn''t had yet; none once it has a response or its first request was accepted, and for viewers. has_draft: whether changes of its questions aren''t published; false for viewers.';

create function console.survey_frame(session_hash bytea, survey_id text, min_role invite.member_role) returns console.survey_frame
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_member invite.members := console.require_survey_role(survey_frame.session_hash, survey_frame.survey_id, survey_frame.min_role);
  v_frame console.survey_frame;
begin
  select s.id, s.title, s.state, w.id, w.name, v_member.role, invite.hold_reason(s, w, p, g), s.paused_at,
    case when v_member.role <= 'admin' and s.paused_at is not null then console.paused_by(w.id, 'survey', s.title, s.paused_at) end,
    case
      when v_member.role = 'viewer' or exists (select from invite.batches as b where b.survey_id = s.id) then '{}'
      else array_remove(array[
        case when s.questions = '[]' and s.public_url is null then 'questions' end,
        case when w.test_of is null and not exists (select from invite.test_invitations as x where x.survey_id = s.id) then 'test' end,
        case when s.state <> 'active' then 'activate' end,
        'invite'], null)
    end,
    s.deletion_started_at is not null,
    v_member.role < 'viewer'
      and exists (select from invite.question_drafts as d where d.survey_id = s.id and d.replaced_at is null)
  into v_frame
  from invite.surveys as s
  join invite.workspaces as w on w.id = s.workspace_id
  join invite.plans as p on p.id = w.plan_id
  cross join invite.settings as g
  where s.id = survey_frame.survey_id;
  -- In two conditions, because one would lock the table for each page of a survey.
  if v_frame.missing_steps <> '{}' then
    if exists (select from invite.responses as r where r.survey_id = v_frame.survey_id) then
      v_frame.missing_steps := '{}';
    end if;
  end if;
  return v_frame;
end
$$;
comment on function console.survey_frame(bytea, text, invite.member_role) is 'What a page of a survey shows around its content.';
