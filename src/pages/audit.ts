// The audit log. Pure.
import type { AuditEntry } from '../functions.ts';
import type { Viewing } from './frame.ts';
import { type Html, html } from './html.ts';
import { empty, moment, table } from './parts.ts';

/** @param pageSize Entries of a full page: after it there may be more. */
export function auditMain({ now }: Viewing, entries: readonly AuditEntry[], pageSize: number): Html {
  if (entries.length === 0) return empty('Nothing yet', 'Changes of members and trigger tokens appear here.');
  return html`<h2 class="hidden">Audit log</h2>
${table(
  'Changes of members and tokens, newest first',
  ['What', 'Whom or which', 'Details', 'By', 'When'],
  entries.map(({ action, subject, detail, actor, at }) => [sentence(action), subject, details(detail), actor, moment(at, now)]),
)}
${entries.length === pageSize && html`<p><a class="button quiet" href="?before=${entries.at(-1)?.id}">Older entries</a></p>`}`;
}

/** member_added → Member added. */
const sentence = (action: string): string => action.charAt(0).toUpperCase() + action.slice(1).replaceAll('_', ' ');

const details = (detail: AuditEntry['detail']): string =>
  Object.entries(detail)
    .map(([name, value]) => `${name}: ${Array.isArray(value) ? value.join(', ') : String(value)}`)
    .join(' · ');
