// The addresses that a mail carries. Pure. They contain the link token: never log them.

/**
 * The tracked link: the survey's public address with `invitation=TOKEN` appended to its query, before its fragment if it has one.
 * The rest of the address is left as it was given, byte for byte.
 * @param publicUrl The survey's public address.
 * @param linkToken The invitation's link token, URL-safe by construction.
 */
export function surveyLink(publicUrl: string, linkToken: string): string {
  const [, address = '', fragment = ''] = /^([^#]*)(#.*)?$/s.exec(publicUrl) ?? [];
  const separator = !address.includes('?') ? '?' : /[?&]$/.test(address) ? '' : '&';
  return `${address}${separator}invitation=${linkToken}${fragment}`;
}

/** The survey's page on this service, for a survey without an address of its own. */
export function servicePage(publicUrl: string, surveyId: string): string {
  return `${publicUrl}/s/${encodeURIComponent(surveyId)}`;
}

/** The unsubscribe page. Short: receivers refuse an over-long List-Unsubscribe header. */
export function unsubscribeLink(publicUrl: string, linkToken: string): string {
  return `${publicUrl}/u/${linkToken}`;
}

/** Whether a text has the form of a link token: anything else is no invitation's, and need not be looked up. */
export const isLinkToken = (text: string): boolean => /^[\w-]{22}$/.test(text);

/** The preview of a survey, for members: where the links of a test mail lead. */
export const previewLink = (publicUrl: string, surveyId: string): string =>
  `${publicUrl}/surveys/${encodeURIComponent(surveyId)}/preview`;

/** The page whose button signs a member in. The key is in the path, which no log has. */
export const signInLink = (publicUrl: string, key: string): string => `${publicUrl}/sign-in/${key}`;
