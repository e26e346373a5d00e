/*
 * A Feistel network of four rounds, whose function is SHA-256 with the key: ids in links are out of order, so that they don't tell how many
 * invitations there are. rounds: in the opposite order they turn the id back.
 */
create or replace function invite.conceal(id bigint, key bytea, rounds integer[] default '{1,2,3,4}') returns bigint
language plpgsql immutable parallel safe
as $$
declare
  v_left bigint := (conceal.id >> 32) & 4294967295;
  v_right bigint := conceal.id & 4294967295;
  v_round integer;
  v_mixed bigint;
begin
  foreach v_round in array conceal.rounds loop
    v_mixed := v_left # ('x' || left(encode(sha256(conceal.key || int4send(v_round) || int8send(v_right)), 'hex'), 8))::bit(32)::bigint;
    v_left := v_right;
    v_right := v_mixed;
  end loop;
  return (v_right << 32) | v_left;
end
$$;
comment on function invite.conceal(bigint, bytea, integer[]) is 'An id as it stands in links: each id has another number, which only the key tells.';
