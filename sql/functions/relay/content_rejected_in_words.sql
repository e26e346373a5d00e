/*
 * code: the relay's code of the last rejection; null: not known.
 */
create or replace function invite.content_rejected_in_words(code text default null) returns text
language sql immutable
as $$
  select 'The relay rejected five emails of this request in a row for what they are'
    || coalesce(' (' || code || ')', '') || ', so the others were not tried. Send a new request with another text, or retry these by hand.'
$$;
comment on function invite.content_rejected_in_words(text) is 'A sentence that says why a message with the code content_rejected was not tried.';
