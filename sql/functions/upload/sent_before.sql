create or replace function invite.sent_before(upload invite.uploads) returns uuid
language sql stable
as $$
  select u.id
  from invite.uploads as u
  where u.survey_id = (upload).survey_id and u.digest = (upload).digest and u.id <> (upload).id and u.state in ('sending', 'sent')
  order by u.sent_at desc
  limit 1
$$;
comment on function invite.sent_before(invite.uploads) is 'The last upload with the same lines that was sent to the same survey. Null: there is none.';
