// The addresses in an email. Pure. They contain secrets: never log them.
import { sha256 } from '../secret.ts';

/**
 * The public address, kept byte for byte, with `invitation=TOKEN` at the end of its query, before the fragment.
 * @param linkToken Needs no encoding in a URL.
 */
export function surveyLink(publicUrl: string, linkToken: string): string {
  const [, address = '', fragment = ''] = /^([^#]*)(#.*)?$/s.exec(publicUrl) ?? [];
  const separator = !address.includes('?') ? '?' : /[?&]$/.test(address) ? '' : '&';
  return `${address}${separator}invitation=${linkToken}${fragment}`;
}

/** The address of the service's own survey page, for a survey without a public address. */
export function servicePage(publicUrl: string, surveyId: string): string {
  return `${publicUrl}/s/${encodeURIComponent(surveyId)}`;
}

/**
 * Differs from the link token. A product's own page and its analytics receive the link token, and they must not be able to open the
 * unsubscribe page, which shows the email address. find_unsubscribe_link checks this token.
 */
export const unsubscribeToken = (invitationId: string, linkToken: string): string =>
  `${invitationId}.${sha256(`unsubscribe ${linkToken}`).subarray(0, 16).toString('base64url')}`;

export const isUnsubscribeToken = (text: string): boolean => /^\d{1,18}\.[\w-]{22}$/.test(text);

/** The link is short, because mail servers reject a long List-Unsubscribe header. */
export const unsubscribeLink = (publicUrl: string, invitationId: string, linkToken: string): string =>
  `${publicUrl}/u/${unsubscribeToken(invitationId, linkToken)}`;

/** A text of any other form can't be a token and needs no lookup. */
export const isLinkToken = (text: string): boolean => /^[\w-]{22}$/.test(text);

/** Where the links of test emails lead. */
export const previewLink = (publicUrl: string, surveyId: string, language: string | null): string =>
  `${publicUrl}/surveys/${encodeURIComponent(surveyId)}/preview${language === null ? '' : `?language=${language}`}`;

/** The address where a new member signs in. It has no secret, so it also works later. */
export const firstSignInLink = (publicUrl: string, workspaceId: string): string =>
  `${publicUrl}/sign-in?next=${encodeURIComponent(`/workspaces/${workspaceId}`)}`;

/** The secret is in the path, which is never logged. */
export const signInLink = (publicUrl: string, secret: string): string => `${publicUrl}/sign-in/${secret}`;
