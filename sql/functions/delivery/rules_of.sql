/*
 * has_choices: whether recipients of the workspace have chosen something. late_send_hours: LATE_SEND_HOURS. has_caps: as the function. Without a rule an email waits for
 * nothing and is never too late: then this is null, and all that follows from it costs nothing.
 *
 * The delay is the survey's, else the workspace's, else LATE_SEND_HOURS, else the length of the rest: without an end, people who are
 * invited every week would gain waiting invitations forever.
 */
create or replace function invite.rules_of(
  survey invite.surveys, workspace invite.workspaces, has_choices boolean, late_send_hours integer, has_caps boolean default false
) returns invite.survey_rules
language sql immutable parallel safe
as $$
  select case when has_choices or has_caps or num_nonnulls(
    late_send_hours, (survey).max_delay_hours, (survey).link_days, (survey).closes_at, (workspace).max_delay_hours, (workspace).rest_days,
    (workspace).open_hours, (workspace).closed_days) > 0
  then row(
    (survey).id, (workspace).id, array[(survey).time_zone, (workspace).time_zone], (workspace).open_hours, (workspace).closed_days,
    (workspace).rest_days, has_choices,
    coalesce((survey).max_delay_hours, (workspace).max_delay_hours, late_send_hours, (workspace).rest_days * 24),
    (survey).link_days, (survey).closes_at, (survey).activated_at, has_caps)::invite.survey_rules
  end
$$;
comment on function invite.rules_of(invite.surveys, invite.workspaces, boolean, integer, boolean) is
  'The rules about when the email of a survey may leave. Null: there are none.';
