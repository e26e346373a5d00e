create or replace function invite.find_webhook_warning(
  endpoint_id uuid, out url text, out workspace_id text, out workspace_name text, out failing_since timestamptz, out last_error text, out owners text[]
)
language sql stable
as $$
  select
    w.url, w.workspace_id, x.name, w.failing_since,
    -- The latest attempt is the pending delivery that is due last. If all deliveries were given up, it is the newest of those. As in
    -- webhook_log, the order by names the index's columns.
    coalesce(
      (
        select coalesce(d.response_status::text, d.error_code)
        from invite.webhook_deliveries as d
        where d.endpoint_id = w.id and d.status = 'pending' and num_nonnulls(d.response_status, d.error_code) > 0
        order by d.due_at desc
        limit 1
      ),
      (
        select coalesce(d.response_status::text, d.error_code)
        from invite.webhook_deliveries as d
        where d.endpoint_id = w.id and d.status >= 'failed'
        order by d.status desc, d.id desc
        limit 1
      )
    ),
    array(select m.email from invite.members as m where m.workspace_id = w.workspace_id and m.role = 'owner' order by m.email)
  from invite.webhook_endpoints as w
  join invite.workspaces as x on x.id = w.workspace_id
  where w.id = find_webhook_warning.endpoint_id and w.failing_since is not null
$$;
comment on function invite.find_webhook_warning(uuid) is
  'What the email to the owners says about an endpoint that fails; nulls: it works again, or was deleted.';
