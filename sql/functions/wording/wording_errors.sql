/*
 * Codes: unknown_name; not_a_text (one line of at most 1,000 characters, a subject's 255; the message may have several lines and 5,000
 * characters); placeholders (they aren't exactly those of the service's text, which placeholders lists).
 */
create or replace function invite.wording_errors(words jsonb) returns jsonb
language sql stable
set jit = off
as $$
  select jsonb_agg(
    jsonb_build_object('name', left(e.key, 100), 'code', x.code) || case when x.code = 'placeholders' then jsonb_build_object('placeholders', p.needed) else '{}' end
    order by e.key)
  from jsonb_each(wording_errors.words) as e
  left join invite.service_words as w on w.language = 'en' and w.name = e.key
  cross join lateral (select invite.placeholders_of(w.text) as needed) as p
  cross join lateral (
    select case
      when w.name is null then 'unknown_name'
      when e.value in ('""', 'null') then null
      when not case
        when w.name = 'defaultMessage' then jsonb_typeof(e.value) = 'string' and length(e.value #>> '{}') <= 5000
          and e.value #>> '{}' ~ '\S' and e.value #>> '{}' !~ invite.direction_marks() and e.value #>> '{}' !~ '[\u0001-\u0009\u000b-\u001f\u007f-\u009f]'
        else invite.is_single_line(e.value, case when w.name ~ 'Subject$' then 255 else 1000 end)
      end then 'not_a_text'
      when invite.placeholders_of(e.value #>> '{}') <> p.needed then 'placeholders'
    end as code
  ) as x
  where x.code is not null
$$;
comment on function invite.wording_errors(jsonb) is
  'What is wrong with texts of a workspace''s own: [{name, code, placeholders}], by name; null: nothing. An empty text removes one, and is right.';
