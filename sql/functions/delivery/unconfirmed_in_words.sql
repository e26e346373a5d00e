create or replace function invite.unconfirmed_in_words() returns text
language sql immutable parallel safe
as $$
  select 'The email may have arrived. If it has not, send it again by hand.'
$$;
comment on function invite.unconfirmed_in_words() is 'What last_error says first of a message that failed as unconfirmed.';
