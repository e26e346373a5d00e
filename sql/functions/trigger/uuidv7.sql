/*
 * RFC 9562 section 5.7: 48 bits of Unix milliseconds, then random bits, because batch ids are public. New keys are added at the end of the
 * index; random keys would be spread over all of it. PostgreSQL 18 has uuidv7() built in.
 */
create or replace function invite.uuidv7(at timestamptz) returns uuid
language sql volatile parallel safe
as $$
  select encode(
    set_bit(set_bit(
      overlay(uuid_send(gen_random_uuid())
        placing substring(int8send((extract(epoch from uuidv7.at) * 1000)::bigint) from 3)
        from 1 for 6),
      52, 1), 53, 1),
    'hex')::uuid;
$$;
comment on function invite.uuidv7(timestamptz) is 'A version 7 UUID of the given time.';
