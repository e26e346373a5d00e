/*
 * action: test, pause, resume, replay, rotate or delete. replay sends one delivery again, or all failed ones; a job continues after the
 * first step. secret: the new one for rotate, sealed; seen: as for invite.rotate_webhook_secret.
 */
create function console.change_webhook(
  session_hash bytea, workspace_id text, endpoint_id uuid, action text, delivery_id bigint default null, secret text default null,
  seen timestamptz default 'infinity'
) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_endpoint_id constant uuid := change_webhook.endpoint_id;
  v_next bigint;
begin
  perform console.require_role(change_webhook.session_hash, change_webhook.workspace_id, 'admin');
  if not exists (
    select from invite.webhook_endpoints as w where w.id = v_endpoint_id and w.workspace_id = change_webhook.workspace_id
  ) then
    raise exception 'there is no webhook endpoint %', v_endpoint_id using errcode = 'P0002';
  end if;
  case change_webhook.action
    when 'test' then perform invite.send_test_webhook(v_endpoint_id);
    when 'pause' then perform invite.set_webhook_paused(v_endpoint_id, true);
    when 'resume' then perform invite.set_webhook_paused(v_endpoint_id, false);
    when 'replay' then
      v_next := (invite.replay_webhooks(v_endpoint_id, change_webhook.delivery_id)).next;
      if v_next is not null then
        perform graphile_worker.add_job('replay_webhooks', json_build_object('endpoint_id', v_endpoint_id, 'after', v_next));
      end if;
    when 'rotate' then
      perform console.require_recent_sign_in(change_webhook.session_hash);
      perform invite.rotate_webhook_secret(v_endpoint_id, change_webhook.secret, seen => change_webhook.seen);
    when 'delete' then perform invite.delete_webhook_endpoint(v_endpoint_id);
  end case;
end
$$;
comment on function console.change_webhook(bytea, text, uuid, text, bigint, text, timestamptz) is 'Tests, pauses, resumes, replays, rotates or deletes an endpoint on behalf of an owner or admin.';
