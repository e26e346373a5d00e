/*
 * A page of a survey's Results, newest first, before an id; of responses with a metadata key and value, if they are given. For viewers too,
 * but who the recipients are is not theirs to know: addresses and names belong to the invitations, which editors see.
 * Called by: the HTTP process, for the page and for the CSV. Raises: P0002, 42501 (require_role).
 */
create or replace function invite.result_page(
  session_hash bytea, survey_id text, metadata_key text default null, metadata_value text default null,
  before_id bigint default null, max_rows integer default 50
) returns setof invite.result
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_email text := invite.require_survey_role(result_page.session_hash, result_page.survey_id, 'viewer');
  v_named boolean := (
    select m.role <= 'editor'
    from invite.surveys as s
    join invite.members as m on m.workspace_id = s.workspace_id and m.email = v_email
    where s.id = result_page.survey_id);
  v_ids bigint[] := invite.find_responses(
    result_page.survey_id, result_page.metadata_key, result_page.metadata_value, result_page.before_id, result_page.max_rows);
begin
  return query
    select
      r.id, r.submitted_at, r.answers, case when r.invitation_id is null then 'direct' else 'invitation' end, r.invitation_id, i.batch_id,
      case when v_named then i.email end, case when v_named then i.name end, r.metadata
    from unnest(v_ids) as f (id)
    join invite.responses as r on r.id = f.id
    left join invite.invitations as i on i.id = r.invitation_id
    order by r.id desc;
end
$$;
comment on function invite.result_page(bytea, text, text, text, bigint, integer) is
  'A page of a survey''s Results, newest first; addresses and names only from editors on.';
