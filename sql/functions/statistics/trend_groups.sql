/*
 * A score of two responses jumps between its extremes, and says nothing. So neighboring bins are put together until they have enough: numbers of
 * 10, 15, 10, 40, 5 make the groups 1, 1, 1, 2, 2. What is left over at the end belongs to the group before it.
 */
create or replace function invite.trend_groups(numbers bigint[], min_number integer default 30) returns integer[]
language plpgsql immutable parallel safe
as $$
declare
  v_groups integer[] := '{}';
  v_group integer := 1;
  v_number bigint := 0;
  v_left bigint := (select coalesce(sum(n), 0) from unnest(numbers) as n);
  n bigint;
begin
  foreach n in array numbers loop
    if v_number >= min_number and v_left >= min_number then
      v_group := v_group + 1;
      v_number := 0;
    end if;
    v_groups := v_groups || v_group;
    v_number := v_number + n;
    v_left := v_left - n;
  end loop;
  return v_groups;
end
$$;
comment on function invite.trend_groups(bigint[], integer) is
  'Which bins of a trend are shown together, so that each point has at least min_number responses, if there are so many: the group of each bin, from 1.';
