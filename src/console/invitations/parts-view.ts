// The parts that several pages of the tab Invitations use.
import {
  type InvitationEvent,
  type InvitationLine,
  type InvitationOutcome,
  type InvitationStatus,
  MAX_COUNT,
} from '../../database/store.ts';
import { type Html, html } from '../../html/html.ts';
import { formatNumber, plural } from '../../text.ts';
import { capital, facts, moment, status } from '../components.ts';
import { nextOfError, REASONS } from '../reasons.ts';
import {
  deliveryError,
  INVITATION_OUTCOMES,
  INVITATION_STATUSES,
  languageName,
  OUTCOME_KINDS,
  STATUS_KINDS,
  UNSENT_REASONS,
} from '../words.ts';

/** The status as a badge. With a count, it leads to the list of those invitations. */
export const invitationStatus = (name: InvitationStatus, count?: number | string, list?: string): Html =>
  status(INVITATION_STATUSES[name], STATUS_KINDS[name], {
    count,
    href: list && `${list}${list.includes('?') ? '&' : '?'}status=${name}`,
  });

export const invitationOutcome = (name: InvitationOutcome, count?: number, list?: string): Html =>
  status(INVITATION_OUTCOMES[name], OUTCOME_KINDS[name], { count, href: list && `${list}&outcome=${name}` });

/** The outcome of a sent invitation, if there is one. Otherwise its status. */
export const lineStatus = ({ status: name, outcome }: InvitationLine): Html =>
  name === 'sent' && outcome !== null ? invitationOutcome(outcome) : invitationStatus(name);

/** Lets the address break before its domain if its column is too narrow. */
export const breakable = (email: string): Html => {
  const at = email.lastIndexOf('@') + 1;
  return html`${email.slice(0, at)}<wbr>${email.slice(at)}`;
};

/** Where people without invitations begin. */
export const waysToInvite = (surveyId: string): Html =>
  html`<a href="/surveys/${surveyId}/invite">Invite people from a list</a> or <a href="/surveys/${surveyId}/api-trigger">let your own system invite them</a>. To collect responses without email, share the <a href="/surveys/${surveyId}/settings">public link</a>.`;

/** What to do next about an invitation. Undefined: nothing. */
export function nextStep({
  outcome,
  unsentReason,
  holdReason,
  suppressionReason,
  lastErrorCode,
}: InvitationLine): string | undefined {
  if (unsentReason === 'held' && holdReason !== null) return REASONS.hold_reason[holdReason].next;
  if (unsentReason === 'suppressed' && suppressionReason !== null) return REASONS.suppression_reason[suppressionReason].next;
  if (unsentReason === 'failed') return nextOfError(lastErrorCode);
  // If the reminder isn't due yet, the outcome of the invitation says more.
  if (outcome !== null) return REASONS.invitation_outcome[outcome].next;
  return unsentReason === null ? undefined : REASONS.unsent_reason[unsentReason].next;
}

/** The detail that members see. The relay's id of an email isn't shown, because only operators need it (invitation_history). */
export function detailOf({ event, detail }: Pick<InvitationEvent, 'event' | 'detail'>): string {
  if (event === 'failed') return capital(deliveryError(detail));
  if (event === 'accepted') return detail === null ? '' : 'To be sent later';
  if (event === 'response_recorded') return detail === null ? '' : `In ${languageName(detail)}`;
  return event.startsWith('relay_') ? (detail ?? '') : '';
}

/** A count that stops at one above the limit. With a limit of 10,000, a count of 10,001 reads `10,000+`. */
export const countUpTo = (count: number, most = MAX_COUNT): string =>
  count > most ? `${formatNumber(most)}+` : formatNumber(count);

/**
 * `1 email`, `2 emails`, `more than 10,000 emails`.
 * @param noun For example `failed email`.
 */
export const emails = (count: number, noun = 'email'): string =>
  count > MAX_COUNT ? `more than ${plural(MAX_COUNT, noun)}` : plural(count, noun);

/** Says why an email hasn't been sent. Undefined: it was sent, or its badge says enough. */
export function unsentNote(line: InvitationLine, now: Date): Html | string | undefined {
  const { unsentReason, messageKind } = line;
  if (unsentReason === null || (unsentReason === 'cancelled' && messageKind === 'invitation')) return undefined;
  return UNSENT_REASONS[unsentReason](line, now);
}

export const nextEmail = ({ dueAt, messageKind, cancelledAt }: InvitationLine, now: Date): Html =>
  html`${dueAt !== null && cancelledAt === null && html`${messageKind === 'reminder' && html`<span class="sub">reminder</span>`}${moment(dueAt, now)}`}`;

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

type Metadata = NonNullable<InvitationLine['metadata']>;

/** The metadata that came with the request. @param where Says which responses show it in Results. */
export const metadataFacts = (metadata: Metadata, where: string): Html =>
  html`<p class="note">Came with the request. Recipients never see it. ${where}</p>
${facts(Object.entries(metadata).map(([key, value]) => [key, asText(value)]))}`;

export const metadataSection = (metadata: Metadata | null, where: string): Html | false =>
  metadata !== null &&
  Object.keys(metadata).length > 0 &&
  html`<section class="card panel" aria-labelledby="metadata">
<h2 id="metadata">Details</h2>
${metadataFacts(metadata, where)}
</section>`;
