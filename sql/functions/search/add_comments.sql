/*
 * Pins: lookup plan.
 */
create or replace function invite.add_comments(response_ids bigint[]) returns void
language sql volatile
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
  insert into invite.comments (workspace_id, submitted_at, response_id, words)
  select s.workspace_id, r.submitted_at, r.id, c.words
  from invite.responses as r
  join invite.surveys as s on s.id = r.survey_id
  cross join lateral (
    select invite.comment_words(invite.comment_text(invite.every_question(r.survey_id), r.answers)) as words offset 0
  ) as c
  where r.id = any (add_comments.response_ids) and c.words <> ' '
  on conflict on constraint comments_pkey do nothing
$$;
comment on function invite.add_comments(bigint[]) is 'Adds the comments of these responses to what finds them, unless they are in it.';
