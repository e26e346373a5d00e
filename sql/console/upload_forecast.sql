create function console.upload_forecast(session_hash bytea, survey_id text, upload_id uuid) returns invite.forecast
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform console.require_upload_editor(upload_forecast.session_hash, upload_forecast.survey_id, upload_forecast.upload_id);
  return (
    select jsonb_populate_record(null::invite.forecast, u.forecast) from invite.uploads as u where u.id = upload_forecast.upload_id);
end
$$;
comment on function console.upload_forecast(bytea, text, uuid) is 'When the emails of an upload leave, as last checked.';
