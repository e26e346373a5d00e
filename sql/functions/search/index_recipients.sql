/*
 * A step of at most max_rows invitations; a full one queues the next. Each is some random reads of a large index: from a cold disk 5,000 took over 15 s. Every minute, apart from accepting, which must not wait for it.
 * Without the clock, which may be set back: see search_progress.seen_to. Locks: search_progress, so that there is one run at a time.
 */
create or replace function invite.index_recipients(max_rows integer default 1000) returns integer
language plpgsql volatile
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
declare
  v_progress invite.search_progress;
  v_ids bigint[];
begin
  select p.* into v_progress from invite.search_progress as p for update skip locked;
  if not found then
    return 0;
  end if;
  v_ids := array(
    select i.id from invite.invitations as i
    where i.id > v_progress.indexed_to and i.id <= v_progress.seen_to
    order by i.id
    limit index_recipients.max_rows);

  insert into invite.search_terms (term, invitation_id)
  select t.term, i.id
  from invite.invitations as i
  join invite.batches as b on b.id = i.batch_id
  cross join lateral unnest(
    invite.terms_of(b.workspace_id, i.name, coalesce(b.metadata, '{}') || coalesce(i.metadata, '{}'))) as t (term)
  where i.id = any (v_ids)
  order by t.term, i.id
  on conflict on constraint search_terms_pkey do nothing;

  if cardinality(v_ids) >= index_recipients.max_rows then
    update invite.search_progress as p set indexed_to = v_ids[cardinality(v_ids)];
    perform graphile_worker.add_job('index_recipients');
  else
    update invite.search_progress as p
    set indexed_to = v_progress.seen_to, seen_to = n.id
    from (select coalesce(max(i.id), 0) as id from invite.invitations as i) as n
    where v_progress.indexed_to < v_progress.seen_to or n.id > v_progress.seen_to;
  end if;
  return cardinality(v_ids);
end
$$;
comment on function invite.index_recipients(integer) is
  'Adds the newest recipients to search_terms: a step, which queues the next itself. Returns how many invitations it has read.';
