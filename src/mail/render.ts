// Renders a claimed invitation or reminder. Pure: the same input gives the same bytes, so that a relay with idempotency keys recognizes a
// repeated attempt.

import type { ClaimedInvitation } from '../database/store.ts';
import { type Html, html } from '../html/html.ts';
import type { Address, OutgoingMessage } from '../relay/relay.ts';
import { toOneLine } from '../text.ts';
import { buttonLink, emailDocument, logoImage } from './html.ts';
import { servicePage, surveyLink, unsubscribeLink } from './links.ts';
import { type EmailSender, type SenderOptions, senderOf } from './sender.ts';
import { checkEmail, checkPieces } from './size.ts';
import { expand, expandPieces } from './template.ts';

export interface RenderOptions extends SenderOptions {
  /** Where recipients reach the service. */
  readonly publicUrl: string;
}

export const REMINDER_PREFIX = 'Reminder: ';

/** Without what only the claim needs. */
export type RenderInput = Omit<ClaimedInvitation, 'claimId' | 'attempts'>;

const linksOf = ({ id, surveyPublicUrl, surveyId, linkToken }: RenderInput, publicUrl: string) => ({
  survey: surveyLink(surveyPublicUrl ?? servicePage(publicUrl, surveyId), linkToken),
  unsubscribe: unsubscribeLink(publicUrl, id, linkToken),
});

/** Of every email. Automatic (RFC 3834): no absence note replies to it. */
export const emailHeaders = (key: string, { email }: Address) => ({
  'Message-ID': `<${key}@${email.slice(email.lastIndexOf('@') + 1)}>`,
  'Auto-Submitted': 'auto-generated',
});

/**
 * What Gmail counts complaints by: batch, survey and kind, which must hold no colon, and a name of 5 to 15 characters for this stream.
 * Source: support.google.com/mail/answer/6254652.
 */
const feedbackId = ({ batchId, surveyId, messageKind }: RenderInput): string =>
  `${batchId}:${surveyId.replaceAll(':', '.')}:${messageKind}:invitations`;

/**
 * @param links By default the invitation's.
 * @returns Text, HTML, and the headers of one-click unsubscribing (RFC 8058).
 * @throws {EmailTooLargeError}
 */
export function render(
  invitation: RenderInput,
  options: RenderOptions,
  { survey, unsubscribe } = linksOf(invitation, options.publicUrl),
): OutgoingMessage {
  const sender = senderOf(invitation.sender, options);
  const { from, replyTo, recipientWord } = sender;
  const values = {
    recipient_name: invitation.name || (recipientWord ?? invitation.email),
    workspace_name: invitation.workspaceName,
    survey_title: invitation.surveyTitle,
    survey_link: survey,
  };
  const template = templateOf(invitation);
  const message = template.message.includes('{{survey_link}}')
    ? template.message
    : `${template.message.trimEnd()}\n\n{{survey_link}}`;
  const footer = `You're receiving this email because ${invitation.workspaceName} invited you to a survey.`;
  const key = `${invitation.batchId}.${invitation.id}.${invitation.messageKind}`;

  const pieces = expandPieces(message, values);
  checkPieces(pieces);
  const email = {
    id: invitation.id,
    idempotencyKey: key,
    from,
    replyTo,
    to: { email: invitation.email, name: toOneLine(invitation.name ?? '') },
    subject:
      template.prefix +
      toOneLine(expand(invitation.name || recipientWord ? template.subject : withoutName(template.subject), values)),
    text: `${pieces.join('')}\n\n--\n${footer}\nUnsubscribe: ${unsubscribe}\n${sender.postalAddress === undefined ? '' : `\n${sender.postalAddress}\n`}`,
    html: emailDocument({
      title: invitation.surveyTitle,
      content: renderMessage(message, values, sender),
      footnote: html`${footer}\n<a href="${unsubscribe}" style="color:#59636e">Unsubscribe</a>${sender.postalAddress !== undefined && html`<br>\n<br>\n${withBreaks(sender.postalAddress)}`}`,
      brand: sender.logo
        ? logoImage(sender.logo.url, sender.logo.alt ?? invitation.workspaceName)
        : html`${invitation.workspaceName}`,
      accent: sender.accent,
    }),
    headers: {
      ...emailHeaders(key, from),
      'Feedback-ID': feedbackId(invitation),
      'List-Unsubscribe': [unsubscribe, ...(replyTo === undefined ? [] : [mailtoUnsubscribe(replyTo)])]
        .map((one) => `<${one}>`)
        .join(', '),
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  };
  checkEmail(email);
  return email;
}

/** For programs that don't unsubscribe by a web address (RFC 2369): the person who gets replies gets this one too. */
const mailtoUnsubscribe = (email: string): string =>
  `mailto:${encodeURIComponent(email).replace('%40', '@')}?subject=unsubscribe`;

function templateOf({ messageKind, subject, message, reminderSubject, reminderMessage }: RenderInput) {
  if (messageKind === 'invitation') return { prefix: '', subject, message };
  const prefix = reminderSubject === null ? REMINDER_PREFIX : '';
  return { prefix, subject: reminderSubject ?? subject, message: reminderMessage ?? message };
}

/** Because an address in a subject looks like spam. With it goes what joins it to the words before, or after it at the beginning. */
const withoutName = (subject: string): string =>
  subject.replace(/^(\{\{recipient_name\}\}[\s,:]*)+|[\s,:]*\{\{recipient_name\}\}/g, '') || '{{survey_title}}';

/** A paragraph that is only the link becomes a button titled in the email's language: with the survey's title. */
function renderMessage(message: string, values: Parameters<typeof expand>[1], { accent }: EmailSender): Html {
  const link = values.survey_link;
  const htmlValues = { ...values, survey_link: html`<a href="${link}">${link}</a>` };
  const paragraphs = message
    .trim()
    .split(/(?:\r?\n){2,}/)
    .map((paragraph) =>
      paragraph.trim() === '{{survey_link}}'
        ? buttonLink(link, values.survey_title, accent)
        : html`<p>${expandPieces<string | Html>(paragraph, htmlValues).map((piece) => (typeof piece === 'string' ? withBreaks(piece) : piece))}</p>`,
    );
  return html`${paragraphs.map((paragraph, index) => [index > 0 && '\n', paragraph])}`;
}

const withBreaks = (text: string) => text.split(/\r?\n/).map((line, index) => [index > 0 && html`<br>\n`, line]);
