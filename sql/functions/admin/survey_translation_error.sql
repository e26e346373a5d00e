/*
 * Texts of questions that the survey doesn't ask now are allowed, because a question may come back. jit is off, because the planner
 * overestimates the cost of nested row sets and would compile the query.
 */
create or replace function invite.survey_translation_error(translations jsonb) returns text
language sql immutable parallel safe
set jit = off
as $$
  select e.path
  from jsonb_each(case when jsonb_typeof(translations) = 'object' then translations else '{"": 0}' end) as l
  cross join lateral (
    select l.key as path where not invite.is_language_tag(l.key) or jsonb_typeof(l.value) <> 'object' or octet_length(l.value::text) > 65536
    union all
    select concat_ws('.', l.key, nullif(x.key, ''))
    from jsonb_each(case when jsonb_typeof(l.value) = 'object' then l.value else '{}' end) as x
    where not case x.key
      when 'title' then invite.is_single_line(x.value, 255)
      when 'thanks' then invite.is_multi_line(x.value, 2000)
      when 'button_label' then invite.is_single_line(x.value, 100)
      when 'questions' then jsonb_typeof(x.value) = 'object'
      else false
    end
    union all
    select concat_ws('.', l.key, 'questions', q.key, nullif(x.key, ''))
    from jsonb_each(case when jsonb_typeof(l.value -> 'questions') = 'object' then l.value -> 'questions' else '{}' end) as q
    cross join lateral jsonb_each(case when jsonb_typeof(q.value) = 'object' then q.value else '{"": 0}' end) as x
    where not case
      when x.key = 'label' then invite.is_single_line(x.value, 1000)
      when x.key in ('min_label', 'max_label') then invite.is_single_line(x.value, 100)
      when x.key in ('low_thanks', 'middle_thanks', 'high_thanks') then invite.is_multi_line(x.value, 2000)
      when x.key = 'choices' then jsonb_typeof(x.value) = 'object' and not exists (
        select from jsonb_each(case when jsonb_typeof(x.value) = 'object' then x.value else '{}' end) as c
        where not invite.is_single_line(c.value, 255))
      else false
    end
  ) as e
  order by 1
  limit 1
$$;
comment on function invite.survey_translation_error(jsonb) is
  'The place where the translations of a survey have a wrong form, such as de.questions.score.label; null if there is none.';
