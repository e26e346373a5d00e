// What a Slack incoming webhook gets: {"text": …} for a low score, or for a test. All words of these messages are here. Pure.
// https://docs.slack.dev/messaging/formatting-message-text
import { responseAddress } from '../mail/links.ts';
import { shortened, toOneLine } from '../text.ts';

/** What SQL says to tell: a low score, or of a test the workspace's name. It has no address and no name of a person. */
export type LowScoreMessage =
  | { readonly workspace: string }
  | {
      readonly survey: string;
      readonly title: string;
      readonly response: string;
      readonly question: string;
      readonly score: number;
      readonly highest: number;
      readonly comment: string | null;
    };

/** Characters of a comment. */
const COMMENT = 300;

/** Slack's three control characters. So no text of others becomes a link, or calls a channel with <!channel>. */
const escaped = (text: string): string =>
  toOneLine(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** @param publicUrl Where the response's page is. Undefined: the message has no link. @returns The body of the request. */
export function slackBody(message: LowScoreMessage, publicUrl: string | undefined): string {
  if ('workspace' in message)
    return JSON.stringify({ text: `This is a test. Low scores of ${escaped(message.workspace)} will come here.` });
  const { survey, title, response, question, score, highest, comment } = message;
  const lines = [
    `*${score} of ${highest}* · ${escaped(title)}`,
    escaped(question),
    ...(comment === null ? [] : [`> ${escaped(shortened(comment, COMMENT))}`]),
    ...(publicUrl === undefined ? [] : [`<${responseAddress(publicUrl, survey, response)}|Open the response>`]),
  ];
  return JSON.stringify({ text: lines.join('\n') });
}

/**
 * Of an address that is a secret, what may be shown: its host, and the end of a long one to tell it from others. Empty if no request can be sent to it,
 * which SQL refuses.
 */
export function shownAddress(url: string): string {
  const parsed = URL.parse(url);
  if (parsed === null || parsed.username !== '' || parsed.password !== '' || url.length > 2000) return '';
  return `${parsed.origin}/…${parsed.pathname.length >= 20 ? parsed.pathname.slice(-4).replace(/[^\w-]/g, '') : ''}`;
}

/** What a receiver responded, if it is one of Slack's codes such as `channel_is_archived`. Other texts may quote the address. */
export const slackCode = (responseStart: string | undefined): string | undefined =>
  responseStart !== undefined && /^[a-z_]{1,50}$/.test(responseStart) ? responseStart : undefined;
