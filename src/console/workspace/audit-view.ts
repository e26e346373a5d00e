// The audit log, as a page and as CSV.
import type { AuditEntry } from '../../database/store.ts';
import { formatClosedDays, formatOpenHours } from '../../hours.ts';
import { type Html, html } from '../../html/html.ts';
import { formatNumber, formatUtc } from '../../text.ts';
import { empty, ended, moment, pager, table } from '../components.ts';
import type { PageContext } from '../frame.ts';
import { csvLine } from '../results/csv-view.ts';
import { ACTORS, AUDIT_ACTIONS, languageName } from '../words.ts';

/** Entries of one download. From an older page, the next ones can be downloaded. */
export const MAX_EXPORTED = 100_000;

/**
 * @param pageSize How many entries a full page has. After a full page there may be another.
 * @param before The entry after which the page begins. Undefined: this is the first page.
 */
export function auditMain(
  { realNow: now }: PageContext,
  entries: readonly AuditEntry[],
  pageSize: number,
  before: string | undefined,
): Html {
  const paged = before !== undefined;
  if (entries.length === 0 && !paged)
    return empty('Nothing yet', 'Changes to members, tokens, invitations and surveys appear here.');
  return html`${
    entries.length === 0
      ? ended('entries')
      : table(
          'Changes, newest first',
          ['Action', 'Target', 'Details', 'By', ['When', 'time']],
          entries.map(({ action, subject, detail, actor, at }) => [
            AUDIT_ACTIONS[action],
            subject ?? '',
            details(detail),
            ACTORS[actor] === undefined ? actor : html`<span class="dim">${ACTORS[actor]}</span>`,
            moment(at, now),
          ]),
        )
  }
${pager('entries', paged ? '?' : undefined, entries.length === pageSize ? `?before=${entries.at(-1)?.id}` : undefined)}
<p class="actions"><a class="button quiet" href="audit.csv${paged && `?before=${before}`}" download>Download CSV</a></p>
<p class="note">At most ${formatNumber(MAX_EXPORTED)} entries from here on, with the codes of actions. The download is recorded too.</p>`;
}

export const AUDIT_COLUMNS = ['entry', 'at (UTC)', 'by', 'action', 'target', 'details'];

export const auditLine = ({ id, at, actor, action, subject, detail }: AuditEntry): string =>
  csvLine([
    Number(id),
    formatUtc(at, 'millisecond'),
    actor,
    action,
    subject,
    Object.keys(detail).length === 0 ? null : JSON.stringify(detail),
  ]);

/** Entries whose values are language tags. */
const TAGS = ['language', 'translations'];

function detailText(name: string, value: unknown): string {
  if (TAGS.includes(name))
    return [value]
      .flat()
      .map((tag) => languageName(String(tag)))
      .join(', ');
  if (name === 'open_hours') return formatOpenHours(String(value));
  if (name === 'closed_days') return formatClosedDays(String(value)).replaceAll('\n', ', ');
  return Array.isArray(value) ? value.join(', ').replaceAll('_', ' ') : String(value);
}

const details = (detail: AuditEntry['detail']): string =>
  Object.entries(detail)
    .map(([name, value]) => `${name.replaceAll('_', ' ')}: ${detailText(name, value)}`)
    .join(' · ');
