// The addresses in an email. Pure. They contain secrets: never log them.
import type { NotificationKind } from '../database/store.ts';
import { sha256 } from '../secret.ts';

/**
 * The public address, kept byte for byte, with `invitation=TOKEN` at the end of its query, before the fragment.
 * @param linkToken Needs no encoding in a URL.
 */
export function surveyLink(publicUrl: string, linkToken: string): string {
  return withParameter(publicUrl, `invitation=${linkToken}`);
}

function withParameter(url: string, parameter: string): string {
  const [, address = '', fragment = ''] = /^([^#]*)(#.*)?$/s.exec(url) ?? [];
  const separator = !address.includes('?') ? '?' : /[?&]$/.test(address) ? '' : '&';
  return `${address}${separator}${parameter}${fragment}`;
}

/** The prefix of an answer's name in forms and links. The question's id follows, which can be any text. */
export const ANSWER = 'answer.';

/** The link with an answer that the page then shows as chosen. */
export const answerLink = (link: string, question: string, answer: string): string =>
  withParameter(link, `${encode(ANSWER + question)}=${encode(answer)}`);

/** Encodes also what programs that look for addresses in a text take for the end of one. */
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*~]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);

/** The address of the service's own survey page, for a survey without a public address. */
export function servicePage(publicUrl: string, surveyId: string): string {
  return `${publicUrl}/s/${encodeURIComponent(surveyId)}`;
}

/** Characters of a link's token before its secret: the home, and the hidden id (the SQL function link_text). */
const NAME_LENGTH = 19;

/**
 * The link's token with a digest of it in the place of the secret. A product's own page and its analytics receive the link token, and they
 * must not be able to open the unsubscribe page, which shows the email address. find_unsubscribe_link checks this token.
 */
export const unsubscribeToken = (linkToken: string): string =>
  linkToken.slice(0, NAME_LENGTH) + sha256(`unsubscribe ${linkToken}`).subarray(0, 16).toString('base64url');

/** The link is short, because mail servers reject a long List-Unsubscribe header. */
export const unsubscribeLink = (publicUrl: string, linkToken: string): string => `${publicUrl}/u/${unsubscribeToken(linkToken)}`;

/** The home of a link's workspace. */
export const homeOf = (linkToken: string): string => linkToken.slice(0, 8);

/** Whether a text has the form of a link's token, tracked or for unsubscribing. Any other needs no lookup. */
export const isLinkToken = (text: string): boolean => /^[a-z0-9]{8}[\w-]{33}$/.test(text);

/** Of a response's page, which members see. */
export const responseAddress = (publicUrl: string, surveyId: string, responseId: string): string =>
  `${publicUrl}/surveys/${surveyId}/responses/${responseId}`;

/** Where the links of test emails lead. */
export const previewLink = (publicUrl: string, surveyId: string, language: string | null): string =>
  `${publicUrl}/surveys/${encodeURIComponent(surveyId)}/preview${language === null ? '' : `?language=${language}`}`;

/** The address where a new member signs in. It has no secret, so it also works later. */
export const firstSignInLink = (publicUrl: string, workspaceId: string): string =>
  `${publicUrl}/sign-in?next=${encodeURIComponent(`/workspaces/${workspaceId}`)}`;

/** The secret is in the path, which is never logged. */
export const signInLink = (publicUrl: string, secret: string): string => `${publicUrl}/sign-in/${secret}`;

/** Stops the emails of a kind to the member whose token it is. */
export const stopLink = (publicUrl: string, token: string, kind: NotificationKind): string =>
  `${publicUrl}/notifications/${token}/${kind.replace('_', '-')}`;
