create or replace function invite.reject_trigger(code text, detail jsonb default '{}') returns void
language plpgsql immutable
as $$
begin
  raise exception 'the request was rejected: %', reject_trigger.code
    using errcode = case when reject_trigger.code in ('cooldown', 'flood_protection') then 'IT429' else 'IT400' end,
      constraint = reject_trigger.code, detail = reject_trigger.detail;
end
$$;
comment on function invite.reject_trigger(text, jsonb) is 'Raises the error of a rejected request from SQL.';
