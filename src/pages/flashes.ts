// What a page says after a form was done: a closed list, so that no link can put words on a page. Pure.

export const FLASHES = {
  member_added: 'The member has been added.',
  member_changed: 'The role has been changed.',
  member_removed: 'The member has been removed.',
  token_changed: 'The token has been changed.',
  token_deleted: 'The token has been deleted. Requests with its secret are refused from now on.',
  token_created_before:
    'That form has created its token before. Its secret was shown then, and cannot be shown again: if it is lost, delete the token and create another.',
} as const;

export type FlashCode = keyof typeof FLASHES;

export const isFlashCode = (text: string): text is FlashCode => Object.hasOwn(FLASHES, text);
