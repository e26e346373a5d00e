// Every code of the database has a text for people. The file also checks the text beside an invitation's status.
import t from 'tap';
import { unsentNote } from '../../src/console/invitations/parts-view.ts';
import { nextOfError, REASONS } from '../../src/console/reasons.ts';
import {
  AUDIT_ACTIONS,
  HISTORY_EVENTS,
  HOLD_REASONS,
  INVITATION_OUTCOMES,
  INVITATION_STATUSES,
  SUPPRESSION_REASONS,
  UNSENT_REASONS,
} from '../../src/console/words.ts';
import { constraintMessage, forbiddenMessage, QUESTION_ERRORS } from '../../src/constraint-messages.ts';
import { MAX_ATTEMPTS } from '../../src/database/deliveries.ts';
import type { InvitationLine } from '../../src/database/store.ts';
import { createTestDatabase } from '../fixtures/setup.ts';

const { sql } = await createTestDatabase(t);

/** Returns the values of an enum. */
async function valuesOf(type: string): Promise<string[]> {
  const rows = await sql`
    select e.enumlabel as label from pg_enum as e
    where e.enumtypid = ${`invite.${type}`}::regtype order by e.enumsortorder`;
  return rows.map(({ label }) => label);
}

t.test('every code of the database has words, and no words are left over', async (t) => {
  for (const [type, texts] of Object.entries({
    hold_reason: HOLD_REASONS,
    unsent_reason: UNSENT_REASONS,
    suppression_reason: SUPPRESSION_REASONS,
    history_event: HISTORY_EVENTS,
    invitation_outcome: INVITATION_OUTCOMES,
    audit_action: AUDIT_ACTIONS,
    question_error_code: QUESTION_ERRORS,
  })) {
    t.strictSame(Object.keys(texts).sort(), (await valuesOf(type)).sort(), type);
  }
});

t.test('every status that an invitation is shown with has words, and no words are left over', async (t) => {
  const rows = await sql`
    select distinct invite.display_status(s, k) as status
    from unnest(enum_range(null::invite.message_status)) as s, unnest(enum_range(null::invite.message_kind)) as k`;
  t.strictSame(Object.keys(INVITATION_STATUSES).sort(), rows.map(({ status }) => status).sort());
});

t.test('every reason has a meaning and a next step, which are sentences', async (t) => {
  const { delivery_error: errors, ...byType } = REASONS;
  for (const [type, reasons] of Object.entries(byType))
    t.strictSame(Object.keys(reasons).sort(), (await valuesOf(type)).sort(), type);
  for (const [code, { meaning, next }] of Object.values(REASONS).flatMap((reasons) => Object.entries(reasons))) {
    t.match(meaning, /^[a-z][^.]+[^.]$/, code);
    t.match(next, /^[A-Z].*\.$/, code);
  }
  t.equal(nextOfError('too_late'), errors.too_late.next);
  t.match(nextOfError('http_422'), /^The mail server's reply/);
});

t.test('every code has words for the DBA as well', async (t) => {
  const [row] = await sql`
    select
      array(select r from unnest(enum_range(null::invite.hold_reason)) as r where invite.hold_reason_in_words(r) is null) as held,
      array(
        select r from unnest(enum_range(null::invite.unsent_reason)) as r
        where invite.unsent_reason_in_words(r, 'survey_draft', 'resend', 'code') is null
      ) as unsent`;
  t.strictSame({ ...row }, { held: [], unsent: [] });
});

t.test('every error that a function raises by the name of a rule has words', async (t) => {
  const rows = await sql`
    select distinct (regexp_matches(p.prosrc, 'IT403''[^;]*constraint = ''(\\w+)''', 'g'))[1] as forbidden, null as rule from pg_proc as p
    union
    select null, (regexp_matches(p.prosrc, '23514''[^;]*constraint = ''(\\w+)''', 'g'))[1] from pg_proc as p`;
  t.ok(rows.length >= 6, JSON.stringify(rows));
  for (const { forbidden, rule } of rows) {
    if (rule === null)
      t.notMatch(forbiddenMessage({ constraint_name: forbidden, detail: '{"role":"viewer","min_role":"editor"}' }), 'undefined');
    else t.ok(constraintMessage({ constraint_name: rule, detail: '{"code":"not_a_list"}' }), rule);
  }
});

t.test('every report of a relay is an event of the history', async (t) => {
  for (const type of await valuesOf('relay_event_type')) t.ok(`relay_${type}` in HISTORY_EVENTS, type);
});

t.test('the number of attempts that pages name is the one that settles', async (t) => {
  const [row] = await sql`select invite.max_attempts() as attempts`;
  t.equal(row?.attempts, MAX_ATTEMPTS);
});

const now = new Date('2030-01-01T12:00:00Z');
const soon = new Date('2030-01-03T13:00:00Z');

/** Returns an invitation with these fields and empty values for the rest. */
const line = (overrides: Partial<InvitationLine>): InvitationLine => ({
  id: '1',
  batchId: 'b',
  email: 'ada@example.com',
  name: null,
  status: 'sent',
  messageKind: 'reminder',
  messageStatus: 'queued',
  unsentReason: 'not_due',
  holdReason: null,
  suppressionReason: null,
  suppressedAt: null,
  relay: null,
  relayCode: null,
  outcome: null,
  dueAt: soon,
  sentAt: now,
  remindedAt: null,
  respondedAt: null,
  cancelledAt: null,
  attempts: 0,
  lastErrorCode: null,
  lastError: null,
  metadata: null,
  ...overrides,
});

t.test('why an email has not been sent is a sentence', async (t) => {
  for (const [sentence, fields] of [
    ['Due in 2 days', {}],
    [
      'Mail server busy. Retrying at 1 Jan 2030, 23:10 UTC, attempt 4 of 12',
      { unsentReason: 'retry_later', lastErrorCode: 'relay_busy', attempts: 3, dueAt: new Date('2030-01-01T23:10:00Z') },
    ],
    [
      'Mail server error (http_503). Retrying at 3 Jan 2030, 13:00 UTC, attempt 2 of 12',
      { unsentReason: 'retry_later', lastErrorCode: 'http_503', attempts: 1 },
    ],
    ['About to be sent', { unsentReason: 'ready', dueAt: now }],
    ['Held: the survey is closed', { unsentReason: 'held', holdReason: 'survey_closed', messageStatus: 'waiting' }],
    ['About to be sent', { unsentReason: 'requeueing', messageStatus: 'waiting' }],
    ['Waiting: no worker is running', { unsentReason: 'no_worker', dueAt: now }],
    [
      'Waiting: sending through resend is paused (invalid_api_key)',
      { unsentReason: 'relay_paused', relay: 'resend', relayCode: 'invalid_api_key', dueAt: now },
    ],
    ['Being sent now', { unsentReason: 'sending', messageStatus: 'sending' }],
    [
      'Not sent: overdue by more than the limit (too_late)',
      { unsentReason: 'failed', messageStatus: 'failed', lastErrorCode: 'too_late', dueAt: null },
    ],
    ['Not sent: http_422', { unsentReason: 'failed', messageStatus: 'failed', lastErrorCode: 'http_422', dueAt: null }],
    ['Cancelled', { unsentReason: 'cancelled', messageStatus: 'cancelled', dueAt: null }],
    [
      'Not sent: the address was on the do-not-email list',
      { unsentReason: 'suppressed', messageStatus: 'suppressed', dueAt: null },
    ],
    [
      'Not sent: on the do-not-email list (added by hand, 18 Nov 2029)',
      {
        unsentReason: 'suppressed',
        messageStatus: 'suppressed',
        suppressionReason: 'manual',
        suppressedAt: new Date('2029-11-18T10:00:00Z'),
        dueAt: null,
      },
    ],
    [undefined, { unsentReason: null, messageStatus: 'sent', dueAt: null }],
  ] as const)
    t.equal(
      unsentNote(line(fields), now)
        ?.toString()
        .replace(/<[^>]+>/g, ''),
      sentence,
    );
});

t.test("times in these sentences are times of the page, which its script says in the reader's zone", async (t) => {
  const dueAt = new Date('2030-01-01T23:10:00Z');
  for (const unsentReason of ['retry_later', 'resting', 'outside_hours', 'capped'] as const)
    t.match(String(unsentNote(line({ unsentReason, dueAt }), now)), '<time datetime="2030-01-01T23:10:00.000Z"', unsentReason);
});

t.test('nothing is said beside a cancelled invitation, whose status says it', async (t) => {
  const cancelled = { status: 'cancelled', messageStatus: 'cancelled', unsentReason: 'cancelled' } as const;
  t.equal(unsentNote(line({ ...cancelled, messageKind: 'invitation' }), now), undefined);
});
