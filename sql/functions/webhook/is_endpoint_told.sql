create or replace function invite.is_endpoint_told(endpoint invite.webhook_endpoints, type invite.event_type, survey_id text, response_id bigint)
returns boolean
language sql stable
as $$
  select (endpoint.survey_id is null or endpoint.survey_id = is_endpoint_told.survey_id) and case endpoint.format
    when 'events' then invite.is_event_wanted(endpoint.types, type)
    else type = 'response.submitted' and invite.is_low_score(response_id, endpoint.below)
  end
$$;
comment on function invite.is_endpoint_told(invite.webhook_endpoints, invite.event_type, text, bigint) is
  'Whether a webhook endpoint gets an event: one that it wants, or of slack a low score; of all surveys, or of its own.';
