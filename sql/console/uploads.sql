create type console.upload as (
  id uuid, name text, state invite.upload_state, waits_for invite.trigger_outcome, columns jsonb, lines integer, people integer, accepted integer,
  send_at timestamptz, created_by text, sent_by text, created_at timestamptz, sent_at timestamptz, ended_at timestamptz, batches integer,
  counts jsonb, accepted_until timestamptz, token_id uuid, sent_before uuid, sent_before_at timestamptz, sent_before_by text
);
comment on type console.upload is
  'An upload. counts: its lines that aren''t invited, yet or at all, by outcome. accepted_until: when the last of its people are accepted at the latest, '
  'because of the hourly quota; null: now. token_id: the token of the survey''s uploads. sent_before: the last upload with the same lines. counts and what '
  'follows it: null in a list.';

/*
 * One of them, or a page, newest first.
 */
create function console.uploads(
  session_hash bytea, survey_id text, upload_id uuid default null, max_rows integer default 20
) returns setof console.upload
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_member invite.members := console.require_survey_role(uploads.session_hash, uploads.survey_id, 'editor');
  v_now constant timestamptz := invite.now_of(v_member.workspace_id);
begin
  if uploads.upload_id is not null then
    perform console.require_upload_editor(uploads.session_hash, uploads.survey_id, uploads.upload_id);
  end if;
  return query
  select
    u.id, u.name, u.state, u.waits_for, u.columns, u.lines, u.people, u.accepted, u.send_at, u.created_by, u.sent_by, u.created_at, u.sent_at,
    u.ended_at, (select count(*) from invite.upload_batches as b where b.upload_id = u.id)::integer, d.counts, d.accepted_until, d.token_id,
    p.id, p.sent_at, p.sent_by
  from invite.uploads as u
  left join lateral (
    select
      (
        select coalesce(jsonb_object_agg(n.outcome, n.number), '{}')
        from (select l.outcome, count(*) as number from invite.upload_lines as l where l.upload_id = u.id group by l.outcome) as n
      ) as counts,
      case when u.people - u.accepted > q.free and u.state in ('checked', 'sending') then
        v_now + ceil((u.people - u.accepted - q.free)::numeric / greatest(q.per_hour, 1)) * interval '1 hour'
      end as accepted_until,
      (select t.id from invite.trigger_tokens as t where t.survey_id = u.survey_id and t.is_by_hand and t.deleted_at is null) as token_id,
      invite.sent_before(u) as sent_before
    from (select (invite.upload_quota(u.workspace_id, v_now)).*) as q
    where u.id = uploads.upload_id
    offset 0
  ) as d on true
  left join invite.uploads as p on p.id = d.sent_before
  where u.survey_id = uploads.survey_id
    and (u.id = uploads.upload_id or uploads.upload_id is null and u.state <> 'reading')
  order by u.created_at desc, u.id
  limit uploads.max_rows;
end
$$;
comment on function console.uploads(bytea, text, uuid, integer) is 'The newest uploads of a survey, or one of them, for editors.';
