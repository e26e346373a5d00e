/*
 * A row that somebody has locked, such as a key that a request is using, is left for the next time. Pins: lookup plan.
 */
create or replace function invite.prune_short_lived(what invite.expiring, max_rows integer, at timestamptz) returns integer
language plpgsql volatile
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
declare
  v_pruned integer;
  v_lines integer := 0;
begin
  case prune_short_lived.what
    when 'idempotency_keys' then
      delete from invite.idempotency_keys as k
      where k.ctid = any (array(
        select x.ctid
        from invite.idempotency_keys as x
        where x.created_at <= prune_short_lived.at - interval '24 hours'
        order by x.created_at
        limit prune_short_lived.max_rows
        for update skip locked));
    when 'rejections' then
      delete from invite.rejections as r
      where r.ctid = any (array(
        select x.ctid
        from invite.rejections as x
        where x.hour <= prune_short_lived.at - interval '7 days'
        limit prune_short_lived.max_rows
        for update skip locked));
    when 'sign_in_links' then
      delete from invite.sign_in_links as l
      where l.ctid = any (array(
        select x.ctid
        from invite.sign_in_links as x
        where x.requested_at <= prune_short_lived.at - interval '1 day'
        limit prune_short_lived.max_rows
        for update skip locked));
    when 'test_invitations' then
      delete from invite.test_invitations as t
      where t.ctid = any (array(
        select x.ctid
        from invite.test_invitations as x
        where x.requested_at <= prune_short_lived.at - interval '1 day'
        limit prune_short_lived.max_rows
        for update skip locked));
    when 'sessions' then
      delete from invite.sessions as s
      where s.ctid = any (array(
        select x.ctid
        from invite.sessions as x
        where invite.session_ends_at(x.created_at, x.seen_at) <= prune_short_lived.at
        limit prune_short_lived.max_rows
        for update skip locked));
    when 'uploads' then
      delete from invite.upload_lines as l
      where l.ctid = any (array(
        select x.ctid
        from invite.uploads as u
        join invite.upload_lines as x on x.upload_id = u.id
        where u.created_at <= prune_short_lived.at - interval '1 day' and (
          u.state in ('reading', 'checked') or u.ended_at <= prune_short_lived.at - interval '7 days')
        limit prune_short_lived.max_rows
        for update of x skip locked));
      get diagnostics v_lines = row_count;
      -- Not by the foreign key, which would wait for a row that somebody holds.
      delete from invite.upload_batches as b
      where b.ctid = any (array(
        select x.ctid
        from invite.uploads as u
        join invite.upload_batches as x on x.upload_id = u.id
        where u.ended_at <= prune_short_lived.at - interval '90 days'
        limit prune_short_lived.max_rows
        for update of x skip locked));
      delete from invite.uploads as u
      where u.ctid = any (array(
        select x.ctid
        from invite.uploads as x
        where x.created_at <= prune_short_lived.at - interval '1 day'
          and (x.state in ('reading', 'checked') or x.ended_at <= prune_short_lived.at - interval '90 days')
          and not exists (select from invite.upload_lines as l where l.upload_id = x.id offset 0)
          and not exists (select from invite.upload_batches as b where b.upload_id = x.id offset 0)
        limit prune_short_lived.max_rows
        for update skip locked));
    when 'notifications' then
      delete from invite.low_scores as l
      where l.ctid = any (array(
        select x.ctid
        from invite.low_scores as x
        where x.noticed_at <= prune_short_lived.at - interval '7 days'
        limit prune_short_lived.max_rows
        for update skip locked));
      delete from invite.notifications as n
      where n.ctid = any (array(
        select x.ctid
        from invite.notifications as x
        where x.ended_at <= prune_short_lived.at - interval '7 days'
        limit prune_short_lived.max_rows
        for update skip locked));
    when 'cap_slots' then
      delete from invite.cap_releases as r where r.not_before <= prune_short_lived.at - interval '24 hours';
      delete from invite.cap_slots as s
      where s.ctid = any (array(
        select x.ctid
        from invite.cap_slots as x
        where x.slot <= prune_short_lived.at - interval '40 days'
        limit prune_short_lived.max_rows
        for update skip locked));
    when 'webhook_endpoints' then
      delete from invite.webhook_endpoints as w
      where w.ctid = any (array(
        select x.ctid
        from invite.webhook_endpoints as x
        where x.deleted_at is not null and not exists (select from invite.webhook_deliveries as d where d.endpoint_id = x.id offset 0)
        limit prune_short_lived.max_rows
        for update skip locked));
  end case;
  get diagnostics v_pruned = row_count;
  return v_pruned + v_lines;
end
$$;
comment on function invite.prune_short_lived(invite.expiring, integer, timestamptz) is
  'Deletes at most so many rows of a kind that is kept for a fixed time. Returns how many.';
