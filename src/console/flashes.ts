// What a page says after a form was done: a closed list, so that no link can put words on a page. Pure.

export const FLASHES = {
  member_added: 'The member has been added. No mail was sent: tell the person to sign in.',
  member_changed: 'The role has been changed.',
  member_removed: 'The member has been removed.',
  token_changed: 'The token has been changed.',
  token_deleted: 'The token has been deleted. Requests with its secret are refused from now on.',
  token_created_before:
    'That form has created its token before. Its secret was shown then, and cannot be shown again: if it is lost, delete the token and create another.',
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
