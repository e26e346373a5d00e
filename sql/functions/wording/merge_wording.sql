/*
 * A language that the service doesn't speak is spoken once each text is there, and then also while a later version of the service has a new one,
 * which is in English until the workspace words it.
 */
create or replace function invite.merge_wording(old invite.wordings, language text, words jsonb, informal boolean) returns invite.wordings
language sql stable
as $$
  select row(
    (merge_wording.old).workspace_id, merge_wording.language, n.words, n.originals, n.informal,
    invite.wording_base(merge_wording.language) is not null
      or not exists (select from invite.service_words as w where w.language = 'en' and not n.words ? w.name)
      or coalesce((merge_wording.old).spoken, false) and not exists (
        select from jsonb_object_keys((merge_wording.old).words) as o (name) where not n.words ? o.name)
  )::invite.wordings
  from (
    select
      coalesce(invite.merge_texts((merge_wording.old).words, merge_wording.words), '{}') as words,
      coalesce(merge_wording.informal, (merge_wording.old).informal, false) as informal
  ) as m
  cross join lateral (
    select m.words, m.informal, coalesce((
      select jsonb_object_agg(e.name, case when merge_wording.words ? e.name then s.text else (merge_wording.old).originals ->> e.name end)
      from jsonb_object_keys(m.words) as e (name)
      left join invite.service_says(merge_wording.language, m.informal) as s on s.name = e.name
    ), '{}') as originals
  ) as n
$$;
comment on function invite.merge_wording(invite.wordings, text, jsonb, boolean) is 'A workspace''s wording of a language with changes, as set_wording takes them.';
