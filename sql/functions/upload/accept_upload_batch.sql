/*
 * As many people as the quota leaves, at most max_people. Who must not be emailed any more isn't invited, and the line stays and says it.
 * A rejected batch is tried again after a minute.
 *
 * The caller has locked the upload. Pins: lookup plan.
 */
create or replace function invite.accept_upload_batch(upload invite.uploads, max_people integer, at timestamptz) returns void
language plpgsql volatile
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
declare
  v_upload constant invite.uploads := upload;
  v_now constant timestamptz := invite.clock_of(v_upload.workspace_id, accept_upload_batch.at);
  v_free constant integer := (invite.upload_quota(v_upload.workspace_id, v_now)).free;
  v_numbers integer[];
  v_request jsonb;
  v_result invite.trigger_result;
begin
  v_numbers := array(
    select l.number
    from invite.upload_lines as l
    where l.upload_id = v_upload.id and l.outcome in ('new', 'resting', 'outside_hours', 'capped', 'unsent')
    order by l.number
    limit greatest(least(accept_upload_batch.max_people, v_free), 1));
  if cardinality(v_numbers) = 0 then
    update invite.uploads as u set state = 'sent', next_at = null, waits_for = null, ended_at = invite.clock(accept_upload_batch.at) where u.id = v_upload.id;
    return;
  end if;
  v_request := case when v_free > 0 then invite.upload_request(v_upload, v_numbers, v_now) end;
  if v_request is not null then
    select r.* into v_result
    from invite.workspaces as w
    cross join lateral (
      select x.* from invite.accept_triggers(
        jsonb_build_array(v_request), coalesce((select g.recipients_per_hour from invite.settings as g), 10000), at => accept_upload_batch.at) as x
      where w.test_of is null
      union all
      select x.* from invite.accept_test_trigger(
        v_request, coalesce((select g.recipients_per_hour from invite.settings as g), 10000)) as x
      where w.test_of is not null
    ) as r
    where w.id = v_upload.workspace_id;
  end if;
  if v_result.outcome = 'accepted' then
    insert into invite.upload_batches (batch_id, upload_id) values (v_result.batch_id, v_upload.id) on conflict do nothing;
    delete from invite.upload_lines as l
    where l.upload_id = v_upload.id and l.number = any (v_numbers) and l.outcome in ('new', 'resting', 'outside_hours', 'capped', 'unsent');
  end if;
  update invite.uploads as u
  set
    accepted = u.accepted + case when v_result.outcome = 'accepted' then jsonb_array_length(v_request -> 'recipients') else 0 end,
    waits_for = case when v_free = 0 then 'flood_protection' else nullif(v_result.outcome, 'accepted') end,
    next_at = invite.clock(accept_upload_batch.at) + case
      when v_free = 0 or v_result.outcome <> 'accepted' then interval '1 minute'
      -- Another request holds the token or its survey.
      when v_request is not null and v_result.outcome is null then interval '1 second'
      else interval '0'
    end
  where u.id = v_upload.id;
end
$$;
comment on function invite.accept_upload_batch(invite.uploads, integer, timestamptz) is 'Accepts the next batch of an upload.';
