// The outcomes of invitations. Each is recorded once, from events, links and responses. Lists, numbers and the response rate use them.
import t from 'tap';
import type { InvitationOutcome, RelayEventRecord } from '../../src/database/store.ts';
import { unsubscribeToken } from '../../src/mail/links.ts';
import { idsOf } from '../fixtures/inspect.ts';
import { createMember } from '../fixtures/members.ts';
import { createBatch, createTestDatabase } from '../fixtures/setup.ts';

const { sql, store } = await createTestDatabase(t);
let count = 0;

/** Creates a survey and sends its invitations to these names. */
async function createSent(names: string[], options: { reminders?: number[] } = {}) {
  const fixture = await createBatch(store, { recipients: names.map((name) => ({ email: `${name}@example.com` })), ...options });
  await sql`
    update invite.messages set status = 'sent', sent_at = '2030-01-01 10:00Z', not_before = null, sweep_at = null, attempts = 1
    where survey_id = ${fixture.survey}`;
  await sql`select invite.recount_results(${fixture.survey})`;
  const ids = await idsOf(sql, fixture.survey);
  const { session } = await createMember(store, fixture.workspace, 'editor', `editor-${fixture.survey}@example.com`);
  const idOf = (name: string) => ids[names.indexOf(name)] as number;
  const report = (name: string, type: RelayEventRecord['type']) => {
    count += 1;
    const event = { event_id: `event-${count}`, type, occurred_at: '2030-01-01T11:00:00Z', invitation_id: String(idOf(name)) };
    return store.recordRelayEvents('resend', [{ ...event, email: `${name}@example.com` }]);
  };
  const link = async (name: string) =>
    (await sql`select link_token from test.invitations where id = ${idOf(name)}`)[0]?.link_token as string;
  const list = async (outcome: InvitationOutcome, filter: object = {}, rows = 50) =>
    (await store.console.listInvitations(session, fixture.survey, { outcome, ...filter }, rows)).map(
      ({ email }) => email?.split('@')[0],
    );
  const outcomeOf = async (name: string) =>
    (await store.console.findInvitation(session, fixture.survey, String(idOf(name)))).line.outcome;
  const respond = async (name: string) => store.submitResponse(fixture.survey, { score: 9 }, await link(name));
  const counts = async () => (await store.console.surveyCounts(session, fixture.survey)).counts;
  return { ...fixture, session, ids, idOf, report, link, list, outcomeOf, respond, counts };
}

t.test('each event, response and unsubscription is an outcome of its invitation; what says most is shown', async (t) => {
  const { report, respond, outcomeOf, idOf, link } = await createSent(['a']);
  t.equal(await outcomeOf('a'), null, 'nothing is reported yet');
  for (const [type, shown] of [
    ['soft_bounce', 'soft_bounced'],
    ['delivered', 'delivered'],
    ['soft_bounce', 'delivered'],
  ] as const) {
    await report('a', type);
    t.equal(await outcomeOf('a'), shown, type);
  }
  await store.unsubscribe(unsubscribeToken(await link('a')));
  t.equal(await outcomeOf('a'), 'unsubscribed');
  await report('a', 'hard_bounce');
  t.equal(await outcomeOf('a'), 'bounced');
  await respond('a');
  t.equal(await outcomeOf('a'), 'responded', 'a bounce of a reminder takes no response back');
  await report('a', 'complaint');
  t.equal(await outcomeOf('a'), 'complained');
  const rows = await sql`select outcome from invite.invitation_outcomes where invitation_id = ${idOf('a')} order by outcome`;
  t.strictSame(
    rows.map(({ outcome }) => outcome),
    ['soft_bounced', 'delivered', 'unsubscribed', 'bounced', 'responded', 'complained'],
    'each once',
  );
});

t.test('a batch says how many were delivered and how many bounced, and its list shows those', async (t) => {
  const { batch, survey, session, report, list } = await createSent(['in', 'in2', 'out']);
  await report('in', 'delivered');
  await report('in2', 'delivered');
  await report('out', 'soft_bounce');
  await report('out', 'hard_bounce');
  const [line] = await store.console.listBatches(session, survey, undefined, 20);
  t.match(line?.counts, { sent: 3, delivered: 2, bounced: 1 });
  t.match((await store.console.findBatch(session, survey, batch)).counts, { delivered: 2, bounced: 1 });
  t.strictSame(await list('bounced', { batch }), ['out']);
});

t.test('an event that comes before its email is settled becomes an outcome when it is matched', async (t) => {
  const { ids, outcomeOf } = await createSent(['early']);
  const event = { event_id: 'early', type: 'delivered', occurred_at: '2030-01-01T11:00:00Z', relay_message_id: 'm-1' } as const;
  await store.recordRelayEvents('resend', [{ ...event, email: 'early@example.com' }]);
  t.equal(await outcomeOf('early'), null);
  await sql`update invite.messages set relay_message_id = 'm-1' where invitation_id = ${ids[0] ?? 0}`;
  await store.matchRelayEvents();
  t.equal(await outcomeOf('early'), 'delivered');
});

t.test('a recipient who subscribes again is not unsubscribed any more, whichever link they use', async (t) => {
  const first = await createSent(['back']);
  await store.unsubscribe(unsubscribeToken(await first.link('back')));
  t.strictSame(await first.list('unsubscribed'), ['back']);
  await store.resubscribe(unsubscribeToken(await first.link('back')));
  t.strictSame(await first.list('unsubscribed'), []);
});

t.test('invitations are listed and counted by outcome, newest first, page by page, in a search and in a batch', async (t) => {
  const other = await createSent(['a', 'b']);
  await other.report('a', 'delivered');
  const { report, respond, list, counts, batch, idOf } = await createSent(['a', 'b', 'c', 'd']);
  for (const name of ['a', 'b', 'c']) await report(name, 'delivered');
  await report('d', 'hard_bounce');
  await report('c', 'complaint');
  await respond('a');
  t.strictSame(await list('delivered'), ['c', 'b', 'a']);
  t.strictSame(await list('delivered', {}, 2), ['c', 'b']);
  t.strictSame(await list('delivered', { before: String(idOf('b')) }), ['a']);
  t.strictSame(await list('bounced'), ['d']);
  t.strictSame(await list('complained'), ['c']);
  t.strictSame(await list('responded'), ['a']);
  t.strictSame(await list('delivered', { batch }), ['c', 'b', 'a']);
  t.strictSame(await list('bounced', { batch }), ['d']);
  t.strictSame(await list('delivered', { search: 'b@' }), ['b']);
  t.strictSame(await list('bounced', { search: 'b@' }), []);
  t.match(await counts(), { sent: 4, delivered: 3, bounced: 1, complained: 1, responded: 1, unsubscribed: 0, soft_bounced: 0 });
});

t.test('what bounced is not in the denominator of the response rate, unless it was responded to', async (t) => {
  const { workspace, survey, session, report, respond } = await createSent(['a', 'b', 'c', 'd', 'e']);
  await respond('a');
  await respond('b');
  await report('b', 'hard_bounce');
  await report('c', 'hard_bounce');
  const [rate] = await sql`select * from console.response_rate(${session}, ${survey}, at => '2030-01-05')`;
  t.match(rate, { invited: '4', responded: '2', bounced: '1', recent: '0' });
  t.match(rate?.points, [{ invited: 4, responded: 2 }]);
  t.match(await store.console.responseRate(session, survey, undefined), {
    invited: '0',
    responded: '0',
    bounced: '0',
    recent: '5',
  });
  t.same(await sql`select * from invite.miscounted_results where survey_id = ${survey}`, []);
  for (const [at, numbers] of [
    ['2030-01-04 09:59Z', { sent: '5', invited: '0', responded: '0' }],
    ['2030-01-04 10:15Z', { sent: '5', invited: '4', responded: '2' }],
  ] as const)
    t.match(await sql`select * from console.surveys(${session}, ${workspace}, at => ${at})`, [numbers], at);
  await sql`delete from invite.invitations where survey_id = ${survey}`;
  t.same(await sql`select * from invite.miscounted_results where survey_id = ${survey}`, [], 'nor when they are deleted');
});

t.test('the history has an unsubscription by the link, and reports whose events are gone', async (t) => {
  const { session, survey, report, link, idOf } = await createSent(['h']);
  await report('h', 'delivered');
  await store.unsubscribe(unsubscribeToken(await link('h')));
  const events = async () =>
    (await store.console.findInvitation(session, survey, String(idOf('h')))).events.map(({ event }) => event).sort();
  t.strictSame(await events(), ['accepted', 'invitation_sent', 'relay_delivered', 'unsubscribed']);
  await sql`delete from invite.relay_events where invitation_id = ${idOf('h')}`;
  t.strictSame(await events(), ['accepted', 'invitation_sent', 'relay_delivered', 'unsubscribed']);
});
