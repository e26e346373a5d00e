// Renders a claimed invitation or reminder. Pure: the same input gives the same bytes, so that a relay with idempotency keys recognizes a
// repeated attempt.

import type { ClaimedInvitation } from '../database/store.ts';
import { type Html, html } from '../html/html.ts';
import { directionOf, isolateIn, runsAgainst, SERVICE, type Speech, type Voice } from '../languages/languages.ts';
import { remembered } from '../languages/tags.ts';
import type { Address, OutgoingMessage } from '../relay/relay.ts';
import { toOneLine } from '../text.ts';
import { buttonLink, emailDocument, logoImage, rawLink } from './html.ts';
import { homeOf, servicePage, surveyLink, unsubscribeLink } from './links.ts';
import { type AskedQuestion, askedIn, questionHtml, questionText } from './question.ts';
import { type EmailSender, type SenderOptions, senderOf } from './sender.ts';
import { checkEmail, checkPieces, EmailTooLargeError } from './size.ts';
import { expand, expandPieces, hasName, withoutGreeting, withoutName } from './template.ts';
import { type Texts, textsOf } from './texts.ts';

export interface RenderOptions extends SenderOptions {
  /** The address where recipients reach the service. */
  readonly publicUrl: string;
}

/** A claimed invitation without the fields that only the claim needs, and how its workspace speaks. Undefined: without words of its own. */
export type RenderInput = Omit<ClaimedInvitation, 'claimId' | 'attempts' | 'wording'> & { readonly speech?: Speech | undefined };

/** Where an email leads. They contain secrets. */
export const linksOf = ({ surveyPublicUrl, surveyId, linkToken }: RenderInput, publicUrl: string) => ({
  survey: surveyLink(surveyPublicUrl ?? servicePage(publicUrl, surveyId), linkToken),
  unsubscribe: unsubscribeLink(publicUrl, linkToken),
});

/** The headers of every email. It is marked as automatic (RFC 3834), so that no out-of-office note replies to it. */
export const emailHeaders = (key: string, { email }: Address) => ({
  'Message-ID': `<${key}@${email.slice(email.lastIndexOf('@') + 1)}>`,
  'Auto-Submitted': 'auto-generated',
});

/**
 * Gmail counts complaints by the parts of this header: batch, survey, kind, and a name of 5 to 15 characters for this stream. A part must
 * not contain a colon. Source: support.google.com/mail/answer/6254652.
 */
const feedbackId = ({ batchId, surveyId, messageKind }: RenderInput): string =>
  `${batchId}:${surveyId.replaceAll(':', '.')}:${messageKind}:invitations`;

/**
 * @param links By default the invitation's links.
 * @returns Text, HTML, and the headers for one-click unsubscribing (RFC 8058). The email doesn't ask its question if that makes it too large.
 * @throws {EmailTooLargeError}
 */
export function render(
  invitation: RenderInput,
  options: RenderOptions,
  links = linksOf(invitation, options.publicUrl),
): OutgoingMessage {
  try {
    return renderWhole(invitation, options, links);
  } catch (error) {
    if (!(error instanceof EmailTooLargeError) || invitation.question === null) throw error;
    return renderWhole({ ...invitation, question: null }, options, links);
  }
}

function renderWhole(
  invitation: RenderInput,
  options: RenderOptions,
  { survey, unsubscribe }: ReturnType<typeof linksOf>,
): OutgoingMessage {
  const workspace = invitation.workspaceName;
  const sender = senderOf(invitation.sender, workspace, options);
  const texts = textsOf(invitation);
  const { speech = SERVICE } = invitation;
  const voice = speech.speak(texts.language);
  const { from, replyTo } = sender;
  const values = {
    recipient_name: invitation.name || texts.recipientWord || '',
    workspace_name: invitation.workspaceName,
    survey_title: texts.title,
    survey_link: survey,
  };
  const said = { voice, speech, surveyLanguage: invitation.surveyLanguage, translation: texts.surveyTranslation };
  const asked = invitation.question && askedIn(invitation.question, survey, said);
  const greeting = greetingOf(texts, speech);
  const message = messageOf(texts, values, greeting);
  const parts = partsOf(message, asked);
  // Each reminder is an email of its own: one with the id of another would be dropped by the relay, or by the mailbox.
  const part = invitation.messageNumber > 1 ? `${invitation.messageKind}${invitation.messageNumber}` : invitation.messageKind;
  const home = homeOf(invitation.linkToken);
  const key = `${home}.${invitation.batchId}.${invitation.id}.${part}`;

  const text = parts.map((part) =>
    typeof part === 'string'
      ? expandPieces(part, isolated(values, texts.messageLanguage))
      : [questionText(part, texts.messageLanguage)],
  );
  checkPieces(text.flat());
  const email = {
    id: invitation.id,
    home,
    number: invitation.messageNumber,
    idempotencyKey: key,
    from,
    replyTo,
    to: { email: invitation.email, name: toOneLine(invitation.name ?? '') },
    subject: subjectOf(texts, voice, values, from.name),
    text: [
      ...text.map((pieces) => pieces.join('')),
      `--\n${voice.say('emailReason', { workspace })}\n${voice.say('unsubscribeLine', { link: unsubscribe })}`,
      ...(sender.postalAddress === undefined ? [] : [sender.postalAddress]),
    ]
      .join('\n\n')
      .concat('\n'),
    html: emailDocument({
      title: texts.title,
      preheader: preheaderOf(texts, message, values, greeting),
      help:
        asked !== null || paragraphsOf(message).includes(LINK) ? voice.put('buttonHelp', { link: rawLink(survey) }) : undefined,
      content: html`${parts.map((part, index) => [
        index > 0 && '\n',
        typeof part === 'string'
          ? renderMessage(part, values, sender, texts, voice)
          : questionHtml(part, texts.messageLanguage, voice, sender.accent),
      ])}`,
      footnote: html`${voice.put('emailReason', { workspace })}\n<a href="${unsubscribe}" style="color:#59636e">${voice.say('unsubscribe')}</a>${sender.postalAddress !== undefined && html`\n<div dir="auto" style="margin-top:16px">${withBreaks(sender.postalAddress)}</div>`}`,
      brand: sender.logo ? logoImage({ ...sender.logo, url: absolute(sender.logo.url, options) }) : html`${workspace}`,
      accent: sender.accent,
      language: texts.language,
      contentLanguage: texts.messageLanguage,
    }),
    headers: {
      ...emailHeaders(key, from),
      'Feedback-ID': feedbackId(invitation),
      'List-Unsubscribe': [unsubscribe, ...(replyTo === undefined ? [] : [mailtoUnsubscribe(replyTo)])]
        .map((address) => `<${address}>`)
        .join(', '),
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  };
  checkEmail(email);
  return email;
}

/** An uploaded logo has a path. */
const absolute = (url: string, { publicUrl }: RenderOptions): string => (url.startsWith('/') ? publicUrl + url : url);

/** For email programs that can't unsubscribe by a web address (RFC 2369). The request goes to the address that gets replies. */
const mailtoUnsubscribe = (email: string): string =>
  `mailto:${encodeURIComponent(email).replace('%40', '@')}?subject=unsubscribe`;

type Values = Parameters<typeof expand>[1];

/** Of a recipient without a name. Undefined: neither the sender nor the service says one in the message's language. */
function greetingOf({ messageLanguage, greetingWithoutName }: Texts, speech: Speech): string | undefined {
  const known = speech.knows(messageLanguage);
  return greetingWithoutName ?? (known && speech.speak(known).say('greeting'));
}

/** Adds the link at the end if the message has none. If the name isn't known, it is left out; the email address never replaces it. */
function messageOf({ message }: Texts, { recipient_name }: Values, greeting: string | undefined): string {
  const addressed = recipient_name === '' ? withoutName(message, greeting) : message;
  return addressed.includes(LINK) ? addressed : `${addressed.trimEnd()}\n\n${LINK}`;
}

const LINK = '{{survey_link}}';

/** The message, with the question in place of the first paragraph that is only the link, or else after the first one that contains it. */
function partsOf(message: string, asked: AskedQuestion | null): (string | AskedQuestion)[] {
  if (asked === null) return [message];
  const paragraphs = paragraphsOf(message);
  const alone = paragraphs.indexOf(LINK);
  const at = alone === -1 ? paragraphs.findIndex((paragraph) => paragraph.includes(LINK)) : alone;
  const join = (some: readonly string[]) => some.join('\n\n');
  return [join(paragraphs.slice(0, alone === -1 ? at + 1 : at)), asked, join(paragraphs.slice(at + 1))].filter(
    (part) => part !== '',
  );
}

const paragraphsOf = (message: string): string[] =>
  message
    .trim()
    .split(/(?:\r?\n){2,}/)
    .map((paragraph) => paragraph.trim());

/** Characters. Inboxes show fewer. */
const MAX_PREHEADER = 150;

/** The token's or sender's own line, or else the first sentence after the greeting. */
function preheaderOf(
  { preheader, messageLanguage }: Texts,
  message: string,
  values: Values,
  greeting: string | undefined,
): string {
  const body = paragraphsOf(withoutGreeting(message, greeting)).filter((paragraph) => paragraph !== LINK);
  const text = toOneLine(expand(preheader ?? body[0] ?? '', { ...isolated(values, messageLanguage), survey_link: '' }));
  const sentence = preheader === undefined ? firstSentence(text, messageLanguage) : text.trim();
  return sentence.length > MAX_PREHEADER ? `${startOf(sentence, MAX_PREHEADER)}…` : sentence;
}

/** Making one takes longer than the rest of an email. */
const sentencesIn = remembered((language) => new Intl.Segmenter(language, { granularity: 'sentence' }));

/** The emails of a batch mostly begin alike. */
let last = { text: '', language: '', sentence: '' };

function firstSentence(text: string, language: string): string {
  if (text !== last.text || language !== last.language) {
    const [first] = sentencesIn(language).segment(text);
    last = { text, language, sentence: (first?.segment ?? text).trim() };
  }
  return last.sentence;
}

/** The whole letters, with their marks, within the first so many characters. */
function startOf(text: string, length: number): string {
  const next = new Intl.Segmenter().segment(text).containing(length);
  return text.slice(0, next?.index);
}

/** The values for plain text in a language. */
const isolated = (values: Values, language: string): Values => {
  const isolate = (value: string) => isolateIn(directionOf(language), value);
  const { recipient_name, workspace_name, survey_title, survey_link } = values;
  return {
    recipient_name: isolate(recipient_name),
    workspace_name: isolate(workspace_name),
    survey_title: isolate(survey_title),
    survey_link,
  };
};

/** If the subject contains the name and the name isn't known: the token's subject without a name, or the default subject of a new token. */
function subjectOf(texts: Texts, voice: Voice, values: Values, senderName: string): string {
  const { subject, subjectLanguage, messageLanguage, subjectWithoutName, saysReminder } = texts;
  const fits = values.recipient_name !== '' || !hasName(subject);
  const usual = voice.text('defaultSubject');
  const [template, language] = fits
    ? [subject, subjectLanguage]
    : subjectWithoutName !== undefined
      ? [subjectWithoutName, messageLanguage]
      : [usual, voice.language];
  // The sender's name stands beside the subject already.
  const shown = template === usual && senderName === values.workspace_name ? '{{survey_title}}' : template;
  const line = toOneLine(expand(shown, isolated(values, language)));
  return saysReminder ? voice.say('reminderSubject', { subject: line }) : line;
}

/** A paragraph that consists only of the link becomes a button. */
function renderMessage(message: string, values: Values, { accent }: EmailSender, texts: Texts, voice: Voice): Html {
  const link = values.survey_link;
  const direction = directionOf(texts.messageLanguage);
  const isRtl = direction === 'rtl';
  const put = (value: string) => (isRtl || runsAgainst(direction, value) ? html`<bdi>${value}</bdi>` : value);
  const htmlValues = {
    recipient_name: put(values.recipient_name),
    workspace_name: put(values.workspace_name),
    survey_title: put(values.survey_title),
    survey_link: html`<a href="${link}"${isRtl && html` dir="ltr"`}>${link}</a>`,
  };
  const paragraphs = paragraphsOf(message).map((paragraph) =>
    paragraph === LINK
      ? buttonLink(link, texts.buttonText ?? voice.say('takeSurvey'), accent)
      : html`<p>${expandPieces<string | Html>(paragraph, htmlValues).map((piece) => (typeof piece === 'string' ? withBreaks(piece) : piece))}</p>`,
  );
  return html`${paragraphs.map((paragraph, index) => [index > 0 && '\n', paragraph])}`;
}

const withBreaks = (text: string) => text.split(/\r?\n/).map((line, index) => [index > 0 && html`<br>\n`, line]);
