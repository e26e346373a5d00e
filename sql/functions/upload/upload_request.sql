/*
 * First marks who must not be emailed, as claims would find them.
 */
create or replace function invite.upload_request(upload invite.uploads, numbers integer[], at timestamptz) returns jsonb
language plpgsql volatile
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
declare
  v_upload constant invite.uploads := upload;
  v_recipients jsonb;
begin
  update invite.upload_lines as l
  set outcome = n.outcome, leaves_at = null, reason = n.outcome::text::invite.unsent_reason
  from (
    select
      x.number,
      case
        when exists (select from invite.suppressions as p where p.workspace_id = v_upload.workspace_id and p.email = x.email) then 'suppressed'
        when exists (
          select from invite.recipient_choices as c
          where c.workspace_id = v_upload.workspace_id and c.email = x.email and c.survey_id = v_upload.survey_id
        ) then 'declined'
      end::invite.line_outcome as outcome
    from invite.upload_lines as x
    where x.upload_id = v_upload.id and x.number = any (upload_request.numbers)
  ) as n
  where l.upload_id = v_upload.id and l.number = n.number and n.outcome is not null;

  v_recipients := (
    select jsonb_agg(l.recipient order by l.number)
    from invite.upload_lines as l
    where l.upload_id = v_upload.id and l.number = any (upload_request.numbers) and l.outcome in ('new', 'resting', 'outside_hours', 'capped', 'unsent'));
  return case when v_recipients is not null then jsonb_strip_nulls(jsonb_build_object(
    'secret_hash', (invite.upload_token(v_upload.survey_id)).secret_hash,
    'send_at', case when v_upload.send_at > upload_request.at then v_upload.send_at end,
    'idempotency_key', format('upload %s %s', v_upload.id, upload_request.numbers[1]),
    'payload_hash', sha256(convert_to(v_recipients::text, 'UTF8'))))
    || jsonb_build_object('recipients', v_recipients)
  end;
end
$$;
comment on function invite.upload_request(invite.uploads, integer[], timestamptz) is
  'The request of accept_triggers for some lines of an upload. Null: none of them may be invited.';
