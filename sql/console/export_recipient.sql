/*
 * What a person who asks may be given (Article 15 of the GDPR): the newest max_rows invitations with their emails, what happened and what was
 * answered, without the links. The audit log records it. Pins: lookup plan, offset 0 fence.
 * Raises: P0002 if the workspace has no such invitation.
 */
create function console.export_recipient(session_hash bytea, workspace_id text, invitation_id bigint, max_rows integer default 1000) returns jsonb
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
declare
  v_member constant invite.members := console.require_role(export_recipient.session_hash, export_recipient.workspace_id, 'admin');
  v_ids constant bigint[] := console.recipient_ids(export_recipient.workspace_id, export_recipient.invitation_id, export_recipient.max_rows);
  v_email text;
  v_export jsonb;
begin
  select lower(i.email collate "C") into v_email from invite.invitations as i where i.id = export_recipient.invitation_id;
  select jsonb_build_object(
    'email', v_email,
    'invitations', coalesce(jsonb_agg(
      jsonb_build_object(
        'id', n.id::text, 'survey', s.title, 'name', i.name, 'email', i.email, 'language', coalesce(i.language, b.language),
        'metadata', coalesce(b.metadata, '{}') || coalesce(i.metadata, '{}'), 'requested_at', b.accepted_at,
        'history', h.events, 'response', a.response)
      order by n.id desc), '[]'),
    'do_not_email', (
      select jsonb_build_object('reason', x.reason, 'since', x.created_at)
      from invite.suppressions as x where x.workspace_id = export_recipient.workspace_id and x.email = v_email),
    'choices', (
      select jsonb_agg(jsonb_build_object('choice', case c.survey_id when '' then 'once_a_month' else 'not_this_survey' end,
        'survey', (select z.title from invite.surveys as z where z.id = c.survey_id), 'at', c.chosen_at) order by c.chosen_at)
      from invite.recipient_choices as c where c.workspace_id = export_recipient.workspace_id and c.email = v_email))
  into v_export
  from unnest(v_ids) as n (id)
  join invite.invitations as i on i.id = n.id
  join invite.batches as b on b.id = i.batch_id
  join invite.surveys as s on s.id = i.survey_id
  left join lateral (
    select jsonb_agg(jsonb_build_object('at', v.at, 'event', v.event, 'detail', v.detail) order by v.at) as events
    from (select w.at, w.event, w.detail from invite.invitation_history as w where w.id = n.id offset 0) as v
  ) as h on true
  left join lateral (
    select jsonb_build_object('submitted_at', r.submitted_at, 'erased_at', r.erased_at, 'questions', invite.questions_as_asked(r.survey_id, r.questions_version),
      'answers', r.answers, 'clicked_in_email', r.clicked_in_email, 'metadata', r.metadata, 'language', r.language) as response
    from invite.responses as r where r.invitation_id = n.id
  ) as a on true;
  perform invite.record_access(
    export_recipient.workspace_id, v_member.email, 'addresses_exported', export_recipient.invitation_id::text, '{"answers": true}');
  return v_export;
end
$$;
comment on function console.export_recipient(bytea, text, bigint, integer) is
  'Everything that a workspace knows of an invitation''s recipient, for an owner or admin who answers that person''s request.';
