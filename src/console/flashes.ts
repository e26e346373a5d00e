// Messages after a form: a closed list, so that no link can put words on a page. Pure.

export const FLASHES = {
  member_added: 'Member added. No email was sent: ask them to sign in.',
  member_changed: 'Role changed.',
  member_removed: 'Member removed.',
  token_changed: 'Changes saved.',
  token_deleted: 'Token deleted. Requests with its secret are now rejected.',
  token_created_before:
    "This form has already created its token. Its secret can't be shown again: if you lost it, delete the token and create a new one.",
  survey_activated: 'The survey is active: what is due is being sent.',
  survey_closed: 'The survey is closed: nothing more is sent.',
  survey_drafted: 'The survey is a draft again: nothing more is sent.',
  batch_cancelled: 'The batch has been cancelled: what had not left will not be sent.',
  batch_retried: 'What had failed was put back in the queue.',
  invitation_cancelled: 'The mail has been cancelled.',
  invitation_retried: 'It was put back in the queue.',
  nothing_cancelled: 'There was nothing left to cancel.',
  nothing_retried: 'There was nothing to send again.',
  test_sent: 'The test mail was put in the queue. What became of it is below.',
} as const;

export type FlashCode = keyof typeof FLASHES;

export const isFlashCode = (text: string): text is FlashCode => Object.hasOwn(FLASHES, text);
