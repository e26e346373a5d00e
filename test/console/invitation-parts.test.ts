// What is said beside an invitation's status: why it has not left, or what its reminder does.
import t from 'tap';
import { mailNote } from '../../src/console/invitations/parts-view.ts';
import type { InvitationLine } from '../../src/database/store.ts';

const now = new Date('2030-01-01T12:00:00Z');
const soon = new Date('2030-01-03T13:00:00Z');

/** An invitation of which nothing but this is known. */
const line = (more: Partial<InvitationLine>): InvitationLine => ({
  id: '1',
  batchId: 'b',
  email: 'ada@example.com',
  name: null,
  status: 'sent',
  mail: 'reminder',
  mailStatus: 'queued',
  why: 'it is not due yet',
  dueAt: soon,
  sentAt: now,
  remindedAt: null,
  respondedAt: null,
  cancelledAt: null,
  attempts: 0,
  lastErrorCode: null,
  lastError: null,
  metadata: null,
  ...more,
});

t.test('of a reminder it is said what it does', async (t) => {
  for (const [said, more] of [
    ['reminder due in 2 days', {}],
    ['reminder tried again in 2 days: http_503', { why: 'it is tried again later: http_503', lastErrorCode: 'http_503' }],
    ['reminder is about to be sent', { why: 'it is about to be sent', dueAt: now }],
    ['reminder held: the survey is closed', { why: 'the survey is closed', dueAt: now }],
    ['reminder held: the survey is closed', { why: 'the survey is closed', mailStatus: 'waiting' }],
    ['reminder is about to be requeued', { why: 'it is about to be requeued', mailStatus: 'waiting' }],
    ['reminder held: no worker lives', { why: 'no worker lives', dueAt: now }],
    ['reminder is being sent', { why: 'a worker has it', mailStatus: 'sending' }],
    ['reminder failed: gave_up', { why: 'it has failed: gave_up', mailStatus: 'failed', lastErrorCode: 'gave_up', dueAt: null }],
    ['reminder cancelled', { why: 'it was cancelled', mailStatus: 'cancelled', dueAt: null }],
    [
      'reminder not sent: the address was suppressed',
      { why: 'the address was suppressed', mailStatus: 'suppressed', dueAt: null },
    ],
    [undefined, { why: null, mailStatus: 'sent', dueAt: null }],
  ] as const)
    t.equal(mailNote(line(more), now), said);
});

t.test('of an invitation it is said why it has not left, unless its status says so', async (t) => {
  const of = (status: InvitationLine['status'], why: string | null) =>
    mailNote(line({ mail: 'invitation', status, mailStatus: status, why }), now);
  t.equal(of('queued', 'it is not due yet'), 'it is not due yet');
  t.equal(of('failed', 'it has failed: gave_up'), 'it has failed: gave_up');
  t.equal(of('cancelled', 'it was cancelled'), undefined);
  t.equal(of('sent', null), undefined);
});
