create type console.test_invitation as (
  id uuid, token_name text, message_kind invite.message_kind, language text, requested_at timestamptz, state text, outcome invite.delivery_outcome, code text, attempts integer,
  tried_at timestamptz, recipient text, name text
);
comment on type console.test_invitation is
  'A test message that a member asked for, and its state: queued, retrying, sent, rejected, or given_up an hour after it was requested. outcome, code: of the '
  'last attempt; null: there was none.';

/*
 * issue_test_invitation sends no message that was requested more than an hour ago: it is given up.
 */
create function console.test_invitations(
  session_hash bytea, survey_id text, max_rows integer default 5, at timestamptz default null
) returns setof console.test_invitation
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_member invite.members := console.require_survey_role(test_invitations.session_hash, test_invitations.survey_id, 'editor');
begin
  return query
    select
      x.id, t.name, x.message_kind, x.language, x.requested_at,
      case
        when x.outcome = 'accepted' then 'sent'
        when x.outcome in ('rejected', 'suppressed', 'unconfirmed') then 'rejected'
        when x.requested_at <= invite.now(invite.owner_time(test_invitations.at)) - interval '1 hour' then 'given_up'
        when x.outcome is not null then 'retrying'
        else 'queued'
      end,
      x.outcome, x.outcome_code, x.attempts, x.tried_at, x.recipient, x.name
    from invite.test_invitations as x
    join invite.trigger_tokens as t on t.id = x.trigger_token_id
    where x.email = v_member.email and x.survey_id = test_invitations.survey_id
    order by x.requested_at desc, x.id
    limit test_invitations.max_rows;
end
$$;
comment on function console.test_invitations(bytea, text, integer, timestamptz) is
  'The member''s last test messages of a survey, and the state of each.';
