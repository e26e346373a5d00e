// Renders one claimed invitation into a mail. Pure and repeatable: the same invitation gives the same bytes, so that a relay with
// idempotency keys recognises a second attempt.
import type { ClaimedInvitation } from '../database/store.ts';
import type { OutgoingMessage } from '../relay/relay.ts';
import { buttonLink, htmlMail } from './html.ts';
import { servicePage, surveyLink, unsubscribeLink } from './links.ts';
import { escapeHtml, expand } from './template.ts';

export interface RenderOptions {
  /** Address under which recipients reach the service. */
  readonly publicUrl: string;
  readonly from: { readonly name: string; readonly email: string };
}

export const REMINDER_PREFIX = 'Reminder: ';

/** What is rendered: a claimed invitation without what only the claim needs. */
export type RenderInput = Omit<ClaimedInvitation, 'claimId' | 'attempts'>;

/** One line without control characters, for headers. */
const oneLine = (text: string): string => text.replace(/\p{Cc}+/gu, ' ').trim();

/** Where the links of a mail lead. */
export interface MailLinks {
  readonly survey: string;
  readonly unsubscribe: string;
}

const linksOf = ({ surveyPublicUrl, surveyId, linkToken }: RenderInput, publicUrl: string): MailLinks => ({
  survey: surveyLink(surveyPublicUrl ?? servicePage(publicUrl, surveyId), linkToken),
  unsubscribe: unsubscribeLink(publicUrl, linkToken),
});

/**
 * @param links Those of the invitation unless given: a test mail has others.
 * @returns The mail: a text part, an HTML part with every value escaped, and the headers of RFC 8058 for one-click unsubscribing.
 */
export function render(
  invitation: RenderInput,
  { publicUrl, from }: RenderOptions,
  { survey, unsubscribe } = linksOf(invitation, publicUrl),
): OutgoingMessage {
  const values = {
    recipient_name: invitation.name || invitation.email,
    workspace_name: invitation.workspaceName,
    survey_title: invitation.surveyTitle,
    survey_link: survey,
  };
  const template = templateOf(invitation);
  const message = template.message.includes('{{survey_link}}')
    ? template.message
    : `${template.message.trimEnd()}\n\n{{survey_link}}`;
  const key = `${invitation.batchId}.${invitation.id}.${invitation.mail}`;

  return {
    id: invitation.id,
    idempotencyKey: key,
    from,
    to: { email: invitation.email, name: oneLine(invitation.name ?? '') },
    subject: template.prefix + oneLine(expand(template.subject, values)),
    text: `${expand(message, values)}\n\n--\n${footer(invitation.workspaceName)}\nUnsubscribe: ${unsubscribe}\n`,
    html: renderHtml(message, values, unsubscribe),
    headers: {
      'Message-ID': `<${key}@${from.email.slice(from.email.lastIndexOf('@') + 1)}>`,
      'List-Unsubscribe': `<${unsubscribe}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  };
}

/** The texts of the mail: a reminder's own where it has them, otherwise the invitation's, with a prefix to the subject. */
function templateOf({ mail, subject, message, reminderSubject, reminderMessage }: RenderInput) {
  if (mail === 'invitation') return { prefix: '', subject, message };
  const prefix = reminderSubject === null ? REMINDER_PREFIX : '';
  return { prefix, subject: reminderSubject ?? subject, message: reminderMessage ?? message };
}

const footer = (workspaceName: string): string => `You receive this mail because ${workspaceName} invited you to a survey.`;

function renderHtml(message: string, values: Parameters<typeof expand>[1], unsubscribe: string): string {
  const link = escapeHtml(values.survey_link);
  const escaped = {
    recipient_name: escapeHtml(values.recipient_name),
    workspace_name: escapeHtml(values.workspace_name),
    survey_title: escapeHtml(values.survey_title),
    survey_link: `<a href="${link}">${link}</a>`,
  };
  // Escaping leaves the braces of the variables alone, so the template is escaped first and the values are put in after.
  // A paragraph that is nothing but the link is a button, with the title on it: that is in the language of the mail.
  const paragraphs = escapeHtml(message.trim())
    .split(/(?:\r?\n){2,}/)
    .map((paragraph) =>
      paragraph.trim() === '{{survey_link}}'
        ? buttonLink(link, escaped.survey_title)
        : `<p>${expand(paragraph, escaped).replace(/\r?\n/g, '<br>\n')}</p>`,
    );
  return htmlMail(
    escaped.survey_title,
    paragraphs.join('\n'),
    `${footer(escaped.workspace_name)}\n<a href="${escapeHtml(unsubscribe)}" style="color:#59636e">Unsubscribe</a>`,
    escaped.workspace_name,
  );
}
