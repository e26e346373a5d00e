/*
 * Null: there is no such token, the token may not read, or the batch is another survey's.
 *
 * Pins: lookup plan, offset 0 fence.
 */
create or replace function invite.token_batch(secret_hash bytea, batch_id uuid, after_id bigint, max_rows integer) returns jsonb
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp set timezone = 'UTC' set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
declare
  v_batch jsonb;
  v_recipients jsonb;
begin
  select
    to_jsonb(b) - '{workspace_id,survey_id,trigger_token_id,reminders}'::text[]
      || jsonb_build_object('workspace', b.workspace_id, 'survey', b.survey_id)
  into v_batch
  from invite.batch_overview as b
  where b.id = token_batch.batch_id and b.survey_id = invite.reading_survey(token_batch.secret_hash);
  if v_batch is null then
    return null;
  end if;

  select coalesce(jsonb_agg(to_jsonb(r)), '[]') into v_recipients
  from (
    select i.id::text as invitation, i.email, i.name, case when i.status = 'answered' then 'sent' else i.status end as status, i.message_kind as message, u.unsent_reason as reason, u.hold_reason, u.leave_by,
      case when i.status = 'failed' then i.last_error_code end as code, i.due_at, i.sent_at, i.reminded_at, i.responded_at, i.failed_at, i.cancelled_at,
      (
        select coalesce(jsonb_object_agg(o.outcome, o.at), '{}')
        from invite.invitation_outcomes as o where o.invitation_id = i.id and o.outcome <> 'responded'
      ) as outcomes
    from (
      select x.id
      from invite.invitations as x
      where x.batch_id = token_batch.batch_id and x.id > token_batch.after_id
      order by x.id + 0
      limit token_batch.max_rows
    ) as p
    cross join lateral (select o.* from invite.invitation_overview as o where o.id = p.id offset 0) as i
    left join lateral (
      select n.unsent_reason, n.hold_reason, n.leave_by from invite.unsent_causes as n where n.id = i.id offset 0
    ) as u on true
    order by i.id
  ) as r;
  return jsonb_build_object('batch', v_batch, 'recipients', v_recipients);
end
$$;
comment on function invite.token_batch(bytea, uuid, bigint, integer) is
  'A batch of a token''s survey with a page of its recipients, for the client that has the token.';
