create type console.result as (
  id bigint, submitted_at timestamptz, answers jsonb, attribution text, invitation_id bigint, batch_id uuid, email text, name text, metadata jsonb,
  questions_version integer, erased_at timestamptz, language text, clicked_in_email text
);
comment on type console.result is
  'A response in the Results. attribution: invitation or direct. email, name: the recipient''s; null for viewers and after they were erased. '
  'questions_version: which version in asked_questions it answers. erased_at: when its answers were erased for the person; null: they weren''t. '
  'language: in which the questions were shown; null: nobody said. '
  'clicked_in_email: the id of the question whose answer began with a click in the email; null: none.';

/*
 * Viewers see no addresses and names: those are part of the invitations, which only editors, admins and owners see.
 */
create function console.results(
  session_hash bytea, survey_id text, filter console.result_filter default null, before_id bigint default null,
  max_rows integer default 50
) returns setof console.result
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_named boolean := (console.require_survey_role(results.session_hash, results.survey_id, 'viewer')).role <= 'editor';
  v_ids bigint[] := console.find_responses(results.survey_id, results.filter, results.before_id, results.max_rows);
begin
  return query
    select
      r.id, r.submitted_at, r.answers, case when r.invitation_id is null then 'direct' else 'invitation' end, r.invitation_id, i.batch_id,
      case when v_named then i.email end, case when v_named then i.name end, r.metadata, r.questions_version, r.erased_at, r.language,
      r.clicked_in_email
    from unnest(v_ids) with ordinality as f (id, place)
    join invite.responses as r on r.id = f.id
    left join invite.invitations as i on i.id = r.invitation_id
    order by f.place;
end
$$;
comment on function console.results(bytea, text, console.result_filter, bigint, integer) is
  'A page of a survey''s Results, newest first. Addresses and names are null for viewers.';
