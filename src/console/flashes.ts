// The messages after a form. The list is closed, so that a link can't show its own text on a page. Pure.

export const FLASHES = {
  member_added: "Member added. We've emailed them how to sign in.",
  member_changed: 'Role changed.',
  member_removed: 'Member removed.',
  settings_saved: 'Changes saved.',
  survey_created: 'Survey created. It is a draft: check its questions.',
  survey_deleted: 'Survey deleted.',
  survey_deleting: 'The survey is being deleted. It takes no responses and sends nothing any more.',
  translation_saved: 'Translation saved.',
  questions_saved: 'Questions saved.',
  token_changed: 'Changes saved.',
  token_reading_allowed: 'Reading is allowed. What happens in this survey is recorded from now on.',
  token_reading_ended: 'Reading is off.',
  token_deleted: 'Token deleted. Requests with its secret are now rejected.',
  token_created_before:
    "This form has already created its token. Its secret can't be shown again: if you lost it, delete the token and create a new one.",
  survey_activated: 'The survey is active. Emails that are due are being sent.',
  survey_closed: 'The survey is closed. No more email goes out.',
  survey_drafted: 'The survey is a draft again. No more email goes out.',
  batch_cancelled: "Batch cancelled. Its unsent emails won't go out.",
  batch_retried: 'The failed emails are queued again.',
  invitation_cancelled: 'Email cancelled.',
  invitation_retried: 'The email is queued again.',
  nothing_cancelled: 'There was nothing left to cancel.',
  nothing_retried: 'There was nothing to send again.',
  address_blocked: 'The address is on the do-not-email list. It gets no email from this workspace.',
  blocked_before: 'The address was on the do-not-email list already.',
  address_unblocked: 'The address is off the do-not-email list. New requests to it are sent.',
  nothing_unblocked: 'The address was not on the do-not-email list.',
  still_unsubscribed: 'The address stays on the list: the recipient has unsubscribed too, and only they can take that back.',
  sending_paused: 'Sending is paused. Requests are accepted, and what comes due waits.',
  sending_resumed: 'Sending is resumed. What came due meanwhile goes out now.',
  webhook_created_before: 'This form has already created its endpoint. If you lost its secret, replace it.',
  webhook_tested: 'Test event queued. See its result below.',
  webhook_paused: 'The endpoint is paused. Its events are kept.',
  webhook_resumed: 'The endpoint is resumed. It gets what has gathered.',
  webhook_replayed: 'The events are queued again.',
  webhook_deleted: 'Endpoint deleted.',
  test_sent: 'Test email queued. See its result below.',
} as const;

export type FlashCode = keyof typeof FLASHES;

export const isFlashCode = (text: string): text is FlashCode => Object.hasOwn(FLASHES, text);
