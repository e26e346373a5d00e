create or replace function invite.queue_uploads() returns void
language sql volatile
as $$
  select graphile_worker.add_job('accept_uploads', job_key => 'accept_uploads')
$$;
comment on function invite.queue_uploads() is 'Makes a worker look at the uploads that are being sent. It looks each minute, too.';
