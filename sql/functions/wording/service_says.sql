create or replace function invite.service_says(language text, informal boolean)
returns table (name text, text text)
language sql stable
as $$
  select w.name, case when service_says.informal then coalesce(w.informal, w.text) else w.text end
  from invite.service_words as w
  where w.language = coalesce(invite.wording_base(service_says.language), 'en')
$$;
comment on function invite.service_says(text, boolean) is
  'What the service says in a language, or in English if it doesn''t speak it. informal: to workspaces that address their readers informally.';
