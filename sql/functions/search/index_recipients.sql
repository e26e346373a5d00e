/*
 * A step reads at most max_rows invitations, and a full step queues the next. An invitation costs some random reads of a large index: 5,000
 * took over 15 s from a cold disk. A job calls it every minute, because accepting requests must not wait for it.
 *
 * Those of test workspaces are left out: there, search_people reads the invitations themselves.
 *
 * Open transactions may still add invitations with lower ids. A step waits for them (begin_step) only until the next run. Then it adds the
 * invitations that are there, and reads the same ids again after those transactions have ended. Such a transaction may be the product's
 * (trigger), or one that somebody forgot. Locks: as begin_step.
 */
create or replace function invite.index_recipients(max_rows integer default 1000) returns integer
language plpgsql volatile
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
declare
  v_from bigint;
  v_reached bigint;
  v_ids bigint[];
  v_last_id bigint;
  -- Workspaces that come from other databases bring their ids and their terms.
  v_last_here constant bigint := coalesce(pg_sequence_last_value('invite.invitations_id_seq'), 0);
begin
  if not exists (
    select from invite.invitations as i where i.id >= (select p.read_from from invite.queue_progress as p where p.queue = 'invitations')
      and i.id <= v_last_here and not invite.is_test(i.id)
  ) then
    return 0;
  end if;
  select s.* into v_from, v_reached from invite.begin_step('invitations') as s;
  if v_from is null then
    return 0;
  end if;
  if v_reached is null then
    v_from := greatest(v_from, (select p.indexed_to + 1 from invite.search_progress as p));
  end if;
  v_ids := array(
    select i.id from invite.invitations as i
    where i.id >= v_from and i.id <= coalesce(v_reached, v_last_here) and not invite.is_test(i.id)
    order by i.id
    limit index_recipients.max_rows);
  v_last_id := v_ids[cardinality(v_ids)];

  insert into invite.search_terms (term, invitation_id)
  select t.term, i.id
  from invite.invitations as i
  join invite.batches as b on b.id = i.batch_id
  cross join lateral unnest(
    invite.terms_of(i.workspace_id, coalesce(b.metadata, '{}') || coalesce(i.metadata, '{}'))) as t (term)
  where i.id = any (v_ids)
  order by t.term, i.id
  on conflict on constraint search_terms_pkey do nothing;
  perform invite.add_persons(v_ids);

  update invite.search_progress as p set indexed_to = v_last_id where p.indexed_to < v_last_id;
  if cardinality(v_ids) >= index_recipients.max_rows then
    perform invite.end_step('invitations', v_reached, v_last_id);
    perform graphile_worker.add_job('index_recipients');
  elsif v_reached is not null then
    perform invite.end_step('invitations', v_reached, null);
    -- Notes the open transactions for the next run.
    perform invite.begin_step('invitations');
  end if;
  return cardinality(v_ids);
end
$$;
comment on function invite.index_recipients(integer) is
  'One bounded step of adding the newest recipients to search_terms and persons; queues the next step itself. Returns how many invitations it has read.';
