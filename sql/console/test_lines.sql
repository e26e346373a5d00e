/*
 * The member's own last test mails of a survey, newest first, and what became of each. After an hour issue_test_invitation sends none any
 * more: what has not left by then is given up. Called by: the HTTP process. Raises: P0002, 42501 (require_role).
 */
create or replace function invite.test_lines(
  session_hash bytea, survey_id text, max_rows integer default 5, at timestamptz default null
) returns setof invite.test_line
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_email text := invite.require_survey_role(test_lines.session_hash, test_lines.survey_id, 'editor');
begin
  return query
    select
      x.id, t.name, x.mail, x.requested_at,
      case
        when x.outcome = 'accepted' then 'sent'
        when x.outcome in ('rejected', 'suppressed', 'unconfirmed') then 'refused'
        when x.requested_at <= coalesce(test_lines.at, clock_timestamp()) - interval '1 hour' then 'given_up'
        when x.outcome is not null then 'retrying'
        else 'queued'
      end,
      x.outcome_code, x.attempts, x.tried_at
    from invite.test_invitations as x
    join invite.trigger_tokens as t on t.id = x.trigger_token_id
    where x.email = v_email and x.survey_id = test_lines.survey_id
    order by x.requested_at desc, x.id
    limit test_lines.max_rows;
end
$$;
comment on function invite.test_lines(bytea, text, integer, timestamptz) is 'The member''s last test mails of a survey, and what became of each.';
