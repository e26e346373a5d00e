/*
 * Checks as src/trigger/recipients.ts does, except that a domain must be in ASCII. If an address is repeated, the first recipient counts.
 * Domains are changed to lower case. A language that is no language tag is left out.
 *
 * test: whether the workspace is a test: only there people are simulated.
 *
 * Raises: IT400 with the code as constraint.
 */
create or replace function invite.check_recipients(recipients jsonb, max_recipients integer default 1000, test boolean default false) returns jsonb
language plpgsql stable
as $$
declare
  v_code text;
  v_place integer;
  v_checked jsonb;
begin
  if jsonb_typeof(check_recipients.recipients) is distinct from 'array' then
    perform invite.reject_trigger('invalid_recipient', '{"field": "recipients"}');
  elsif check_recipients.recipients = '[]' then
    perform invite.reject_trigger('missing_recipient', '{"field": "recipients"}');
  elsif jsonb_array_length(check_recipients.recipients) > check_recipients.max_recipients then
    perform invite.reject_trigger('too_many_recipients', jsonb_build_object('limit', check_recipients.max_recipients));
  end if;

  with read as materialized (
    select
      n.place, n.entry, btrim(n.entry ->> 'email', E' \t\r\n') as email, n.entry ->> 'name' as name, n.entry ->> 'time_zone' as time_zone,
      invite.language_tag(n.entry ->> 'language') as language,
      case when jsonb_typeof(n.entry -> 'metadata') <> 'null' then n.entry -> 'metadata' end as metadata
    from (
      select r.place, case jsonb_typeof(r.entry) when 'string' then jsonb_build_object('email', r.entry) else r.entry end as entry
      from jsonb_array_elements(check_recipients.recipients) with ordinality as r (entry, place)
    ) as n
  ),
  judged as (
    select r.*,
      case
        when jsonb_typeof(r.entry) <> 'object' then 'invalid_recipient'
        when r.entry - '{email,name,language,time_zone,metadata}'::text[] <> '{}' then 'unknown_field'
        when jsonb_typeof(r.entry -> 'email') is distinct from 'string' or length(r.email) > 254 or r.email !~
          '^(?=.{1,64}@)[A-Za-z0-9_!#$%&''*+/=?^`{|}~-]+(\.[A-Za-z0-9_!#$%&''*+/=?^`{|}~-]+)*@([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$'
          then 'invalid_recipient'
        when not check_recipients.test and lower(r.email collate "C") ~ '[@.]sim[.]invalid$' then 'invalid_recipient'
        when jsonb_typeof(r.entry -> 'name') not in ('string', 'null') or length(r.name) > 255 or r.name ~ '[[:cntrl:]]' then 'invalid_recipient'
        when jsonb_typeof(r.entry -> 'language') not in ('string', 'null') then 'invalid_recipient'
        when jsonb_typeof(r.entry -> 'time_zone') not in ('string', 'null') or r.time_zone is not null and not invite.is_time_zone(r.time_zone)
          then 'invalid_recipient'
        when jsonb_typeof(r.metadata) <> 'object' or octet_length(r.metadata::text) > 16384 then 'invalid_field'
      end as code
    from read as r
  ),
  folded as (
    select distinct on (lower(j.email collate "C"))
      j.place, split_part(j.email, '@', 1) || '@' || lower(split_part(j.email collate "C", '@', 2)) as email, j.name, j.language,
      j.time_zone, j.metadata
    from judged as j
    where j.code is null
    order by lower(j.email collate "C"), j.place
  )
  select
    (select j.code from judged as j where j.code is not null order by j.place limit 1),
    (select j.place - 1 from judged as j where j.code is not null order by j.place limit 1),
    (
      select jsonb_agg(
        jsonb_strip_nulls(jsonb_build_object('email', f.email, 'name', f.name, 'language', f.language, 'time_zone', f.time_zone))
          || jsonb_build_object('metadata', f.metadata) order by f.place)
      from folded as f
    )
  into v_code, v_place, v_checked;
  if v_code is not null then
    perform invite.reject_trigger(v_code, jsonb_build_object('field', format('recipients[%s]', v_place)));
  end if;
  return v_checked;
end
$$;
comment on function invite.check_recipients(jsonb, integer, boolean) is 'The recipients of a request from SQL, checked, and each address once.';
