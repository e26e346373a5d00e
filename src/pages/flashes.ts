// What a page says after a form was done: a closed list, so that no link can put words on a page. Pure.

export const FLASHES = {
  member_added: 'The member has been added.',
  member_changed: 'The role has been changed.',
  member_removed: 'The member has been removed.',
} as const;

export type FlashCode = keyof typeof FLASHES;

export const isFlashCode = (text: string): text is FlashCode => Object.hasOwn(FLASHES, text);
