// The words for lists of people and their lines. Pure.
import type { LineOutcome, Upload, UploadCard, UploadLine } from '../../database/store.ts';
import { type Html, html } from '../../html/html.ts';
import { formatNumber } from '../../text.ts';
import { type LineRules, recipientOf } from '../../uploads/recipients.ts';
import { type ListError, type ListErrorCode, MAX_COLUMNS } from '../../uploads/table.ts';
import { capital, type Kind, moment, status } from '../components.ts';
import { REASONS } from '../reasons.ts';

const LIST_ERRORS: Readonly<Record<ListErrorCode, string>> = {
  line_too_long: 'is too long. Is a quotation mark not closed?',
  too_many_columns: `has more than ${MAX_COLUMNS} columns. Leave out those that aren't needed.`,
  too_many_lines: 'The list has more than 20,000 lines. Split it into several.',
  no_lines: 'There is nobody in this list.',
};

export const listError = ({ code, line }: ListError): string =>
  line === undefined ? capital(LIST_ERRORS[code]) : `Line ${formatNumber(line)} ${LIST_ERRORS[code]}`;

/** The filter of a list's page. */
export const LINE_GROUPS: Readonly<Record<LineOutcome, string>> = {
  new: 'New',
  resting: 'Resting',
  outside_hours: 'Outside hours',
  capped: 'Limited',
  unsent: 'Not sent',
  suppressed: 'Do not email',
  declined: 'Declined',
  repeated: 'Repeated',
  invalid: 'Invalid',
};

const KINDS: Readonly<Record<LineOutcome, Kind>> = {
  new: 'good',
  resting: 'info',
  outside_hours: 'info',
  capped: 'info',
  unsent: 'warn',
  suppressed: 'off',
  declined: 'off',
  repeated: 'off',
  invalid: 'bad',
};

/** Why a line isn't invited, or its email not sent. Undefined: it is. */
export function whyNot(line: UploadLine, rules: LineRules): string | undefined {
  if (line.outcome === 'invalid') {
    const read = recipientOf(line.cells, rules);
    return 'problems' in read ? read.problems.join(' ') : 'The line was invalid when it was read.';
  }
  if (line.outcome === 'repeated') return 'An earlier line has this address.';
  if (line.outcome === 'suppressed') return 'The address is on the do-not-email list.';
  if (line.outcome === 'declined') return 'The recipient wants no email about this survey.';
  return line.reason === null ? undefined : `${capital(REASONS.unsent_reason[line.reason].meaning)}.`;
}

/** What becomes of a line. */
export function lineFate(line: UploadLine, rules: LineRules, now: Date): Html {
  const { outcome, leavesAt } = line;
  const badge = (word: string) => status(word, KINDS[outcome]);
  const why = whyNot(line, rules);
  if (why !== undefined) return html`${badge(outcome === 'unsent' ? 'not sent' : 'not invited')}<span class="sub">${why}</span>`;
  if (outcome === 'resting')
    return html`${badge('rests')}<span class="sub">Invited recently. Gets this email ${moment(leavesAt, now)}.</span>`;
  if (outcome === 'outside_hours')
    return html`${badge('waits for your hours')}<span class="sub">Leaves ${moment(leavesAt, now)}.</span>`;
  if (outcome === 'capped')
    return html`${badge('waits for its turn')}<span class="sub">Leaves ${moment(leavesAt, now)}, under a sending limit.</span>`;
  return leavesAt === null || leavesAt <= now
    ? badge('new')
    : html`${badge('new')}<span class="sub">Leaves ${moment(leavesAt, now)}.</span>`;
}

const STATES: Readonly<Record<UploadCard['state'], readonly [word: string, kind: Kind]>> = {
  reading: ['being read', 'info'],
  checked: ['not sent yet', 'warn'],
  sending: ['being invited', 'info'],
  sent: ['invited', 'good'],
  cancelling: ['being cancelled', 'info'],
  cancelled: ['cancelled', 'off'],
};

export const uploadStatus = ({ state }: Pick<UploadCard, 'state'>): Html => status(...STATES[state]);

/** Why the next batch of a list that is being sent isn't accepted. */
const WAITS: Readonly<Partial<Record<NonNullable<Upload['waitsFor']>, string>>> = {
  flood_protection: 'The hourly quota of your workspace is used up. The list continues by itself.',
  workspace_disabled: 'The workspace is suspended. The list continues when it is resumed.',
  plan_required: "The workspace's plan doesn't include invitations. The list continues when it does.",
  survey_disabled: 'The survey is disabled. The list continues when it is enabled.',
};

export const waitsInWords = ({ waitsFor }: Upload): string | undefined =>
  waitsFor === null ? undefined : (WAITS[waitsFor] ?? 'The next batch is tried again in a minute.');
