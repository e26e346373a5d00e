create or replace function invite.due_uploads(max_rows integer default 50, at timestamptz default null) returns uuid[]
language sql stable
as $$
  select coalesce(array_agg(n.id), '{}')
  from (
    select f.id
    from (
      select distinct on (u.workspace_id) u.id, u.next_at
      from invite.uploads as u
      join invite.workspaces as w on w.id = u.workspace_id and w.moved_to is null
      where u.next_at <= invite.now(due_uploads.at)
      order by u.workspace_id, u.next_at, u.id
    ) as f
    order by f.next_at, f.id
    limit due_uploads.max_rows
  ) as n
$$;
comment on function invite.due_uploads(integer, timestamptz) is
  'Of each workspace the upload that is next, those first that have waited longest: so workspaces take turns.';
