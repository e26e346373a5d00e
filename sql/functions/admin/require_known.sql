/*
 * words: what is said of another key, such as "a survey has no rule". constraint_name: such as surveys_unknown_rule, which begins with the table.
 *
 * Raises: 23514.
 */
create or replace function invite.require_known(given jsonb, known text[], words text, constraint_name text) returns void
language plpgsql immutable
as $$
declare
  v_unknown text;
begin
  select k.key into v_unknown
  from jsonb_object_keys(require_known.given) as k (key)
  where k.key <> all (require_known.known);
  if found then
    raise exception '% % (%)', require_known.words, v_unknown, require_known.constraint_name
      using errcode = '23514', constraint = require_known.constraint_name, table = split_part(require_known.constraint_name, '_unknown_', 1),
        schema = 'invite';
  end if;
end
$$;
comment on function invite.require_known(jsonb, text[], text, text) is 'Rejects settings of which one has no known name.';
