// The pages that a sign-in may lead to.

/**
 * Accepts only paths on this server. Browsers read `//` and `/\` as another host. The path must be ASCII, because it goes into a header.
 */
export const ownPath = (text: string | null): string | undefined =>
  text !== null && text.length <= 500 && /^\/(?![/\\])[!-[\]-~]*$/.test(text) ? text : undefined;
