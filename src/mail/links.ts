// The addresses in an email. Pure. They contain secrets: never log them.
import { sha256 } from '../secret.ts';

/**
 * The tracked link: the survey's public address with `invitation=TOKEN` at the end of its query, before the fragment. The rest of the
 * address stays as it was given, byte for byte.
 * @param publicUrl The survey's public address.
 * @param linkToken The invitation's link token, URL-safe by construction.
 */
export function surveyLink(publicUrl: string, linkToken: string): string {
  const [, address = '', fragment = ''] = /^([^#]*)(#.*)?$/s.exec(publicUrl) ?? [];
  const separator = !address.includes('?') ? '?' : /[?&]$/.test(address) ? '' : '&';
  return `${address}${separator}invitation=${linkToken}${fragment}`;
}

/** The survey page of this service, for a survey without a public address. */
export function servicePage(publicUrl: string, surveyId: string): string {
  return `${publicUrl}/s/${encodeURIComponent(surveyId)}`;
}

/**
 * Opens the unsubscribe page, which shows the recipient's address. Derived from the link token, which a product's own survey page and its
 * analytics receive: theirs must not open this page. The SQL function find_unsubscribe_link checks it.
 */
export const unsubscribeToken = (invitationId: string, linkToken: string): string =>
  `${invitationId}.${sha256(`unsubscribe ${linkToken}`).subarray(0, 16).toString('base64url')}`;

export const isUnsubscribeToken = (text: string): boolean => /^\d{1,18}\.[\w-]{22}$/.test(text);

/** The unsubscribe page. Short, because receivers refuse a long List-Unsubscribe header. */
export const unsubscribeLink = (publicUrl: string, invitationId: string, linkToken: string): string =>
  `${publicUrl}/u/${unsubscribeToken(invitationId, linkToken)}`;

/** Whether a text has the form of a link token; anything else doesn't need a lookup. */
export const isLinkToken = (text: string): boolean => /^[\w-]{22}$/.test(text);

/** The preview of a survey, for members: the links of a test email lead there. */
export const previewLink = (publicUrl: string, surveyId: string): string =>
  `${publicUrl}/surveys/${encodeURIComponent(surveyId)}/preview`;

/** The page whose button signs a member in. The secret is in the path, which is never logged. */
export const signInLink = (publicUrl: string, secret: string): string => `${publicUrl}/sign-in/${secret}`;
