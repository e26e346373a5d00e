// What the pages of the tab Invitations share.
import { type InvitationLine, type InvitationStatus, MAX_COUNT } from '../../database/store.ts';
import { type Html, html } from '../../html/html.ts';
import { formatNumber, plural } from '../../text.ts';
import { facts, moment, status } from '../components.ts';
import { INVITATION_STATUSES, STATUS_KINDS, UNSENT_REASONS } from '../words.ts';

/** With a count it leads to the list of those. */
export const invitationStatus = (name: InvitationStatus, count?: number, list?: string): Html =>
  status(INVITATION_STATUSES[name], STATUS_KINDS[name], {
    count,
    href: list && `${list}${list.includes('?') ? '&' : '?'}status=${name}`,
  });

/** A count that stops one above a number: `10,000+`. */
export const countUpTo = (count: number, most = MAX_COUNT): string =>
  count > most ? `${formatNumber(most)}+` : formatNumber(count);

/**
 * `1 email`, `2 emails`, `more than 10,000 emails`.
 * @param noun Such as `failed email`.
 */
export const emails = (count: number, noun = 'email'): string =>
  count > MAX_COUNT ? `more than ${plural(MAX_COUNT, noun)}` : plural(count, noun);

/** Undefined: it was sent, or its badge says it all. */
export function unsentNote(line: InvitationLine, now: Date): string | undefined {
  const { unsentReason, messageKind } = line;
  if (unsentReason === null || (unsentReason === 'cancelled' && messageKind === 'invitation')) return undefined;
  return UNSENT_REASONS[unsentReason](line, now);
}

export const nextEmail = ({ dueAt, messageKind, cancelledAt }: InvitationLine, now: Date): Html =>
  html`${dueAt !== null && cancelledAt === null && html`${messageKind === 'reminder' && html`<span class="sub">reminder</span>`}${moment(dueAt, now)}`}`;

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

type Metadata = NonNullable<InvitationLine['metadata']>;

/** As it came with the request. @param where Which responses have it in Results. */
export const metadataFacts = (metadata: Metadata, where: string): Html =>
  html`<p class="note">Came with the request. Recipients never see it. ${where}</p>
${facts(Object.entries(metadata).map(([key, value]) => [key, asText(value)]))}`;

export const hiddenMetadata = (metadata: Metadata | null, where: string): Html | false =>
  metadata !== null &&
  Object.keys(metadata).length > 0 &&
  html`<section class="card panel" aria-labelledby="metadata">
<h2 id="metadata">Hidden metadata</h2>
${metadataFacts(metadata, where)}
</section>`;
