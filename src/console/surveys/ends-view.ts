// What ends a survey and its links by itself: the lines about it, and the form.
import type { ShownEnds, SurveyEnds } from '../../database/store.ts';
import { type Html, html } from '../../html/html.ts';
import { formatNumber, plural } from '../../text.ts';
import { field, form, formSection, moment } from '../components.ts';
import type { PageContext } from '../frame.ts';
import { countUpTo } from '../invitations/parts-view.ts';
import { sawTexts } from '../stale.ts';

export const END_FIELDS = ['closesAt', 'responseLimit', 'linkDays'] as const;
export type EndField = (typeof END_FIELDS)[number];

export interface SentEnds {
  readonly texts: Readonly<Record<EndField, string>>;
  readonly errors: Readonly<Partial<Record<EndField, string>>>;
}

/** As `datetime-local` has it, in UTC. */
export const inputTime = (at: Date): string => at.toISOString().slice(0, 16);

export const endTexts = ({ closesAt, responseLimit, linkDays }: SurveyEnds): Record<EndField, string> => ({
  closesAt: closesAt === null ? '' : inputTime(closesAt),
  responseLimit: String(responseLimit ?? ''),
  linkDays: String(linkDays ?? ''),
});

/** For example `Closes on 3 Dec 2026, 12:00 UTC. Closes after 500 responses (123 so far). Links expire 30 days after the invitation.` */
export function endsNote({ now }: Pick<PageContext, 'now'>, ends: ShownEnds): Html | '' {
  const { closesAt, responseLimit, linkDays, responses } = ends;
  const lines = [
    closesAt && html`${closesAt > now ? 'Closes on' : 'The closing date was'} ${moment(closesAt, now)}.`,
    responseLimit && html`Closes after ${plural(responseLimit, 'response')} (${countUpTo(responses ?? 0)} so far).`,
    linkDays && `Links expire ${plural(linkDays, 'day')} after the invitation.`,
  ].filter((line) => line !== null && line !== 0);
  return lines.length === 0 ? '' : html`<p class="note">${lines.map((line, index) => html`${index > 0 && ' '}${line}`)}</p>`;
}

/** Whether it can't be activated. */
export const hasEnded = ({ closesAt, responseLimit, responses }: ShownEnds, now: Date): boolean =>
  (closesAt !== null && closesAt <= now) || (responseLimit !== null && (responses ?? 0) >= responseLimit);

export function endsPanel(page: PageContext, ends: ShownEnds, sent?: SentEnds): Html {
  const stored = endTexts(ends);
  const { texts = stored, errors = {} } = sent ?? {};
  const value = (name: EndField) => ({ name, value: texts[name], error: errors[name] });
  return formSection(
    'ends',
    'When it ends',
    ['A survey can end by itself, and so can its links.'],
    html`${endsNote(page, ends)}
${form(
  page.csrf,
  html`<input type="hidden" name="action" value="ends">${sawTexts(stored)}
${field({ ...value('closesAt'), label: 'Closing date (UTC)', type: 'datetime-local', hint: 'From then on nobody can respond and no email goes out. If empty, you close it yourself.' })}
${field({ ...value('responseLimit'), label: 'Response limit', type: 'number', hint: 'The survey closes after this many responses. If empty, there is no limit.', more: html` min="1" step="1"` })}
${field({ ...value('linkDays'), label: 'Days until a link expires', type: 'number', hint: `Counted from a recipient’s first email, for emails already sent too. At most ${formatNumber(3650)}; if empty, links don’t expire.`, more: html` min="1" max="3650" step="1"` })}
<p class="actions"><button type="submit">Set when it ends</button></p>`,
)}`,
  );
}
