/*
 * A product calls it whenever one of its customers changes. A call that changes nothing writes and locks nothing.
 * id: chosen by the product; null generates one. A new workspace is by default on the plan pro.
 * Raises: 23503 for an unknown plan, 23502 without a name for a new one.
 */
create or replace function invite.upsert_workspace(
  id text default null, name text default null, plan_id text default null
) returns text
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_id text := coalesce(upsert_workspace.id, gen_random_uuid()::text);
begin
  insert into invite.workspaces (id, name, plan_id)
  select v_id, upsert_workspace.name, coalesce(upsert_workspace.plan_id, 'pro')
  where not exists (select from invite.workspaces as known where known.id = v_id)
  on conflict on constraint workspaces_pkey do nothing;

  update invite.workspaces as w
  set name = coalesce(upsert_workspace.name, w.name), plan_id = coalesce(upsert_workspace.plan_id, w.plan_id)
  where w.id = v_id
    and (w.name, w.plan_id) is distinct from (coalesce(upsert_workspace.name, w.name), coalesce(upsert_workspace.plan_id, w.plan_id));
  return v_id;
end
$$;
comment on function invite.upsert_workspace(text, text, text) is
  'Creates or updates a workspace; null arguments keep what is there. Returns its id.';
