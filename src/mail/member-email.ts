// Renders emails to members: sign-in links, test emails, notices to new members, warnings about webhooks and about bounces. Pure.

import { SIGN_IN_MINUTES } from '../database/sessions.ts';
import type { GuardFigure, MemberInvitation, TestMessage, WebhookWarning } from '../database/store.ts';
import { html } from '../html/html.ts';
import type { Speech } from '../languages/languages.ts';
import type { Address, OutgoingMessage } from '../relay/relay.ts';
import { formatNumber, formatShare, formatUtc, plural, toLabel } from '../text.ts';
import { buttonHelp, buttonLink, emailDocument } from './html.ts';
import { firstSignInLink, previewLink, signInLink } from './links.ts';
import { emailHeaders, type RenderOptions, render } from './render.ts';

/** No invitation has this id, so a relay's events about these emails match none. */
const NO_INVITATION = '0';

const SIGN_IN_SUBJECT = 'Your sign-in link';
const SIGN_IN_FOOTNOTE = "If you didn't ask for it, ignore this email: nothing happens without the link.";

/** @param key The idempotency key of this attempt. */
export function renderSignIn(email: string, secret: string, key: string, { publicUrl, from }: RenderOptions): OutgoingMessage {
  const link = signInLink(publicUrl, secret);
  const intro = `Here's your sign-in link${forProduct(from)}. It works once and expires in ${SIGN_IN_MINUTES} minutes.`;
  return {
    id: NO_INVITATION,
    idempotencyKey: key,
    from,
    to: { email, name: '' },
    subject: SIGN_IN_SUBJECT,
    text: `${intro}\n\n${link}\n\n--\n${SIGN_IN_FOOTNOTE}\n`,
    html: emailDocument({
      title: SIGN_IN_SUBJECT,
      content: html`<p>${intro}</p>\n${buttonLink(link, 'Sign in')}`,
      help: buttonHelp(link),
      footnote: html`${SIGN_IN_FOOTNOTE}`,
    }),
    headers: emailHeaders(key, from),
  };
}

/** Strangers get these emails from our own address: anyone can be added, and the workspace chose its name. */
const labelOf = (workspaceName: string): string => toLabel(workspaceName) || 'a workspace';

const forProduct = ({ name }: Address): string => (name === '' ? '' : ` for ${name}`);

export interface MemberInvitationMessage extends MemberInvitation {
  readonly email: string;
  readonly workspaceId: string;
  readonly invitedBy: string;
}

/** @param key The idempotency key, which is the same at each attempt. */
export function renderMemberInvitation(
  { email, workspaceId, workspaceName, role, invitedBy }: MemberInvitationMessage,
  key: string,
  { publicUrl, from }: RenderOptions,
): OutgoingMessage {
  const link = firstSignInLink(publicUrl, workspaceId);
  const name = labelOf(workspaceName);
  const subject = `${invitedBy} added you to ${name}`;
  const article = role === 'viewer' ? 'a' : 'an';
  const how = `Sign in with this email address: we send you a link, so you don't need a password.`;
  const footnote = `If you don't know ${invitedBy}, ignore this email.`;
  return {
    id: NO_INVITATION,
    idempotencyKey: key,
    from,
    to: { email, name: '' },
    subject,
    text: `${invitedBy} added you to ${name} as ${article} ${role}.\n\n${how}\n\n${link}\n\n--\n${footnote}\n`,
    html: emailDocument({
      title: subject,
      content: html`<p>${invitedBy} added you to <b>${name}</b> as ${article} ${role}.</p>\n<p>${how}</p>\n${buttonLink(link, 'Sign in')}`,
      help: buttonHelp(link),
      footnote: html`${footnote}`,
    }),
    headers: emailHeaders(key, from),
  };
}

/** @param key The idempotency key, which is the same at each attempt. */
export function renderWebhookWarning(
  { id, url, workspaceId, workspaceName, failingSince, lastError }: WebhookWarning & { readonly id: string },
  owner: string,
  key: string,
  { from, publicUrl }: RenderOptions,
): OutgoingMessage {
  const { host } = new URL(url);
  const name = labelOf(workspaceName);
  const subject = `A webhook of ${name} has been failing for a day`;
  const what = `No event has reached ${host} since ${formatUtc(failingSince)} UTC. Last result: ${lastError ?? 'none'}.`;
  const next = 'We keep trying for some days. What is given up by then can be sent again once the endpoint works.';
  const link = `${publicUrl}/workspaces/${workspaceId}/webhooks/${id}`;
  const footnote = `You get this email as an owner of ${name}.`;
  return {
    id: NO_INVITATION,
    idempotencyKey: key,
    from,
    to: { email: owner, name: '' },
    subject,
    text: `${what}\n\n${next}\n\n${link}\n\n--\n${footnote}\n`,
    html: emailDocument({
      title: subject,
      content: html`<p>${what}</p>\n<p>${next}</p>\n${buttonLink(link, 'See its log')}`,
      help: buttonHelp(link),
      footnote: html`${footnote}`,
    }),
    headers: emailHeaders(key, from),
  };
}

export interface GuardNotice {
  readonly workspaceId: string;
  readonly verdict: 'warn' | 'pause';
  /** What the guard found. */
  readonly figure: GuardFigure;
}

/** `52 of 410 emails (12.7%) sent in the last hour bounced`, or `were reported as spam`. */
export function guardFinding({ outcome, hours, sent, reports }: GuardFigure): string {
  const when = hours === 1 ? 'the last hour' : `the last ${hours} hours`;
  const what = outcome === 'bounced' ? 'bounced' : reports === 1 ? 'was reported as spam' : 'were reported as spam';
  return `${formatNumber(reports)} of ${plural(sent, 'email')} (${formatShare(reports / sent)}) sent in ${when} ${what}`;
}

/** @param key The idempotency key, which is the same at each attempt. */
export function renderGuardNotice(
  {
    workspaceId,
    workspaceName,
    verdict,
    figure,
    isOwner,
  }: GuardNotice & { readonly workspaceName: string; readonly isOwner: boolean },
  to: string,
  key: string,
  { from, publicUrl }: RenderOptions,
): OutgoingMessage {
  const name = labelOf(workspaceName);
  const isPause = verdict === 'pause';
  const { domain, workspaces } = figure;
  const subject = isPause
    ? `Sending is paused for ${name}`
    : `Many emails ${domain === undefined ? `of ${name}` : `from ${domain}`} don't arrive well`;
  const what =
    domain === undefined
      ? `${guardFinding(figure)}.`
      : `${formatNumber(workspaces ?? 0)} workspaces send from ${domain}, ${name} among them. Of all of these, ${guardFinding(figure)}.`;
  const why =
    'Mail providers block senders whose emails bounce or are reported as spam, and then the emails to everyone else arrive late or as spam too.';
  const next = isPause
    ? 'Requests are still accepted, and their emails wait. Find out where these addresses come from and stop inviting them. Then release it, with a note.'
    : domain !== undefined
      ? 'Nothing is held: a domain that several workspaces send from is never paused. See which of them it is, and pause that one.'
      : 'Nothing is held yet. Find out where these addresses come from and stop inviting them: if the share grows, sending is paused.';
  const link = `${publicUrl}/workspaces/${workspaceId}/guard`;
  const button = isPause ? 'See why, and release it' : 'See the figures';
  const action = isOwner ? link : `invitation-trigger guard show ${workspaceId}`;
  const footnote = isOwner ? `You get this email as an owner of ${name}.` : 'You get this email as OPERATOR_EMAIL.';
  return {
    id: NO_INVITATION,
    idempotencyKey: key,
    from,
    to: { email: to, name: '' },
    subject,
    text: `${what}\n\n${why}\n\n${next}\n\n${action}\n\n--\n${footnote}\n`,
    html: emailDocument({
      title: subject,
      content: html`<p><b>${what}</b></p>\n<p>${why}</p>\n<p>${next}</p>\n${isOwner ? buttonLink(link, button) : html`<p><code>${action}</code></p>`}`,
      help: isOwner ? buttonHelp(link) : undefined,
      footnote: html`${footnote}`,
    }),
    headers: emailHeaders(key, from),
  };
}

const TEST_PREFIX = '[Test] ';

/**
 * The email as recipients get it, except for the subject's prefix and the links. Both links lead to the preview, which records nothing and
 * unsubscribes nobody.
 */
export function renderTest({ id, ...test }: TestMessage, options: RenderOptions, speech: Speech): OutgoingMessage {
  const preview = previewLink(options.publicUrl, test.surveyId, test.language);
  const message = render(
    {
      ...test,
      speech,
      messageNumber: test.messageKind === 'reminder' ? 1 : 0,
      id: NO_INVITATION,
      batchId: `test.${id}`,
      linkToken: '',
      surveyPublicUrl: null,
      requestLanguage: null,
      subjectLanguage: null,
      messageLanguage: null,
      unconfirmedSince: null,
    },
    options,
    { survey: preview, unsubscribe: `${preview}#unsubscribe` },
  );
  // Leave out the headers that email programs use to unsubscribe.
  return { ...message, subject: TEST_PREFIX + message.subject, headers: emailHeaders(message.idempotencyKey, message.from) };
}
