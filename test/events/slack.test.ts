// Low scores: as an event for backends, and as a message to an incoming webhook of Slack, whose address is a secret.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import t, { type Test } from 'tap';
import { withResponseUrlText } from '../../src/events/response-url.ts';
import { shownAddress, slackBody, slackCode } from '../../src/events/slack.ts';
import { createWebhookSender } from '../../src/events/webhook-sender.ts';
import { createWebhooks } from '../../src/events/webhooks.ts';
import { createLog } from '../../src/log.ts';
import { constraint, sqlstate } from '../fixtures/inspect.ts';
import { createSurvey, createTestDatabase, createToken, until } from '../fixtures/setup.ts';
import { acceptTrigger } from '../fixtures/trigger.ts';
import { createSlack, createWebhook, keys } from '../fixtures/webhooks.ts';

const { sql, store } = await createTestDatabase(t);
const SECRET = '/services/T024BE7LH/B0AQ9XJ3K/k2Rz8VqYb0WnE5tLx4Qe';
const NPS = [
  { id: 'why', type: 'text', label: 'Why?' },
  { id: 'nps', type: 'score', label: 'Would you recommend <us>?', nps: true },
];

async function recording(questions: object = NPS) {
  const fixture = await createSurvey(store);
  await sql`update invite.surveys set questions = ${sql.json(questions as never)}, title = 'Käufer & <Freunde>' where id = ${fixture.survey}`;
  await store.setWorkspaceEvents(fixture.workspace, true);
  return fixture;
}
const respond = async (survey: string, answers: object, token: string | null = null) =>
  String(
    (await sql`select response_id as id from invite.record_response(${survey}, ${sql.json(answers as never)}, ${token})`)[0]?.id,
  );
const publish = () => until('all is published', async () => (await store.publishEvents(1000)) === 0);
const deliveriesTo = (id: string) => sql`select * from invite.webhook_log where endpoint_id = ${id} order by id`;

/** A receiver that responds as Slack does, or quotes what it was asked, as frameworks do at an unknown address. */
async function createSlackReceiver(t: Test, status: () => number) {
  const calls: { path: string; headers: object; body: string }[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (part) => {
      body += part;
    });
    request.on('end', () => {
      calls.push({ path: request.url ?? '', headers: request.headers, body });
      const code = status();
      response.writeHead(code).end(code === 200 ? 'ok' : code === 403 ? 'channel_is_archived' : `Cannot POST ${request.url}`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  return { calls, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${SECRET}` };
}

/** Sends what is due through the worker's own loop. Returns what was logged, at every level. */
async function deliver(endpoint: string): Promise<string> {
  const lines: string[] = [];
  const log = createLog('trace', { write: (line) => lines.push(line) });
  const sender = createWebhookSender(['127.0.0.1/32']);
  const loop = createWebhooks({ store, sender, publicUrl: 'https://invite.example', keys, schedule: [3600], log });
  loop.wake();
  await until('all is settled', async () =>
    (await deliveriesTo(endpoint)).every(({ attempts, due_at }) => attempts > 0 || due_at === null),
  );
  await until('none is being sent', async () =>
    (await deliveriesTo(endpoint)).every(({ pending_reason }) => pending_reason !== 'sending'),
  );
  await loop.stop();
  await sender.close();
  return lines.join('');
}

t.test('a low score is an event of its own, with the limit of its scale, and others are none', async (t) => {
  const { workspace, survey } = await recording();
  for (const nps of [7, 10, null, 'none']) await respond(survey, { nps });
  const low = await respond(survey, { nps: 6, why: 'Slow' });
  await publish();
  const events = await store.listEvents('0', 100, { workspaceId: workspace });
  t.equal(events.filter(({ type }) => type === 'response.submitted').length, 5);
  t.match(
    events.filter(({ type }) => type === 'response.low_score').map(({ data }) => data),
    [{ survey, low_score: { question: 'nps', score: 6, below: 7 }, response: { id: low, answers: { nps: 6, why: 'Slow' } } }],
  );
  t.strictSame(
    events.slice(-2).map(({ type }) => type),
    ['response.submitted', 'response.low_score'],
    'in this order',
  );

  const stars = [{ id: 'stars', type: 'score', label: 'Stars?', min: 1, max: 5 }, ...NPS];
  await sql`update invite.surveys set questions = ${sql.json(stars)} where id = ${survey}`;
  const [, before] = (await store.listEvents('0', 100, { workspaceId: workspace }))
    .filter(({ type }) => type.startsWith('response'))
    .slice(-2);
  t.match(before, { data: { low_score: { below: 7 } } }, 'by the questions that were asked then');
  for (const given of [3, 2]) await respond(survey, { stars: given, nps: 0 });
  await publish();
  const rated = (await store.listEvents('0', 100, { workspaceId: workspace })).filter(
    ({ type }) => type === 'response.low_score',
  );
  t.match(rated.at(-1), { data: { low_score: { score: 2, below: 3 } } });
  t.equal(rated.length, 2, 'the middle of the scale is not low');

  await sql`update invite.responses set answers = '{}', erased_at = now() where survey_id = ${survey}`;
  const erased = (await store.listEvents('0', 100, { workspaceId: workspace })).filter(
    ({ type }) => type === 'response.low_score',
  );
  t.match(erased[0], { data: { low_score: null } }, 'erased since');
});

t.test('a survey without a score, and one whose pages are the product’s own, have no low scores by mistake', async (t) => {
  for (const questions of [[], [{ id: 'why', type: 'text', label: 'Why?' }]]) {
    const { workspace, survey } = await recording();
    await sql`update invite.surveys set questions = ${sql.json(questions)} where id = ${survey}`;
    await respond(survey, { why: 'x', nps: 0, score: 0 });
    await publish();
    const types = (await store.listEvents('0', 100, { workspaceId: workspace })).map(({ type }) => type);
    t.notOk(types.includes('response.low_score'), JSON.stringify(questions));
  }
});

t.test(
  'a webhook gets low scores if it asks for them, with the address of the response’s page, and of its survey alone',
  async (t) => {
    const { workspace, survey } = await recording();
    const [{ id: other } = { id: '' }] = await sql`
    insert into invite.surveys (id, workspace_id, title, state, questions) values (${`${survey}-2`}, ${workspace}, 'Other', 'active', ${sql.json(NPS)}) returning id`;
    const asked = await createWebhook(store, workspace, 'https://a.example/', ['response.low_score']);
    const all = await createWebhook(store, workspace, 'https://b.example/');
    await respond(survey, { nps: 3 });
    await respond(other, { nps: 3 });
    await publish();
    const claimed = await store.claimWebhooks(100, 60);
    t.strictSame(claimed.map(({ endpointId, body }) => [endpointId === all.id, JSON.parse(body ?? '').type]).sort(), [
      [false, 'response.low_score'],
      [false, 'response.low_score'],
      [true, 'response.submitted'],
      [true, 'response.submitted'],
    ]);
    const low = claimed.find(({ endpointId }) => endpointId === asked.id);
    const { data } = JSON.parse(withResponseUrlText(low?.body ?? '', 'https://invite.example'));
    t.equal(data.response.url, `https://invite.example/surveys/${data.survey}/responses/${data.response.id}`);
  },
);

t.test('Slack is told of low scores alone: the score, the survey, the comment, a link, and nobody’s address', async (t) => {
  const { workspace, survey } = await recording();
  const receiver = await createSlackReceiver(t, () => 200);
  const { id } = await createSlack(store, workspace, receiver.url);
  const { hash } = await createToken(store, survey);
  await acceptTrigger(
    store,
    hash,
    { recipients: [{ email: 'ada@example.com', name: 'Ada Lovelace' }], metadata: { order: 7 } },
    1000,
  );
  const [invited] = await sql`select link_token from test.invitations where survey_id = ${survey}`;
  await respond(survey, { nps: 9, why: 'Fine' });
  const low = await respond(
    survey,
    { nps: 2, why: `<!channel> Tom & Jerry:\n<https://evil.example|free>${'x'.repeat(400)}` },
    String(invited?.link_token),
  );
  await publish();
  const logged = await deliver(id);
  t.equal(receiver.calls.length, 1);
  const { text, ...rest } = JSON.parse(receiver.calls[0]?.body ?? '');
  t.strictSame(rest, {});
  const lines = text.split('\n');
  t.equal(lines[0], '*2 of 10* · Käufer &amp; &lt;Freunde&gt;');
  t.equal(lines[1], 'Would you recommend &lt;us&gt;?');
  t.match(lines[2], /^> &lt;!channel&gt; Tom &amp; Jerry: &lt;https:\/\/evil\.example\|free&gt;x+…$/);
  t.ok(lines[2].length < 340);
  t.equal(lines[3], `<https://invite.example/surveys/${survey}/responses/${low}|Open the response>`);
  t.equal(lines.length, 4);
  t.notMatch(receiver.calls[0]?.body, /ada|lovelace|order/i);
  t.notOk('webhook-signature' in (receiver.calls[0]?.headers ?? {}));
  t.match(await deliveriesTo(id), [{ status: 'delivered', response_start: 'ok' }]);

  for (const secret of [SECRET, 'k2Rz8VqYb0WnE5tL']) {
    t.notMatch(logged, secret, 'no log has the address');
    const [rows] = await sql`
      select (select string_agg(w::text, '') from invite.webhook_endpoints as w) as endpoints, (select string_agg(d::text, '') from invite.webhook_deliveries as d) as deliveries,
        (select string_agg(a::text, '') from invite.audit_log as a) as audit`;
    t.notMatch(JSON.stringify(rows), secret, 'nor the database');
  }
  t.match(logged, '"webhook sent"', 'although it is looked at');
});

t.test('an endpoint of Slack can have a limit and a survey of its own', async (t) => {
  const { workspace, survey } = await recording();
  const other = `${survey}-2`;
  await sql`insert into invite.surveys (id, workspace_id, title, state, questions) values (${other}, ${workspace}, 'Other', 'active', ${sql.json(NPS)})`;
  const url = `https://hooks.slack.com${SECRET}`;
  const told = {
    all: (await createSlack(store, workspace, url)).id,
    strict: (await createSlack(store, workspace, url, { below: 3 })).id,
    wide: (await createSlack(store, workspace, url, { below: 10, surveyId: survey })).id,
  };
  for (const nps of [2, 3, 6, 7, 9, 10]) await respond(survey, { nps });
  await respond(other, { nps: 2 });
  await publish();
  const numbers = async () =>
    Object.fromEntries(
      await Promise.all(Object.entries(told).map(async ([name, id]) => [name, (await deliveriesTo(id)).length])),
    );
  t.strictSame(await numbers(), { all: 4, strict: 2, wide: 5 });
  await sql`delete from invite.webhook_deliveries`;
  for (const id of Object.values(told)) await store.replayWebhooks(id, { since: new Date(Date.now() - 3_600_000) });
  t.strictSame(await numbers(), { all: 4, strict: 2, wide: 5 }, 'and the same again when it is replayed');

  await sql`delete from invite.responses where survey_id = ${survey}`;
  await sql`delete from invite.surveys where id = ${survey}`;
  t.strictSame(
    (await store.listWebhooks(workspace)).map(({ id }) => id).sort(),
    [told.all, told.strict].sort(),
    'it goes with its survey',
  );
});

t.test('what is erased before it is sent is not told', async (t) => {
  const { workspace, survey } = await recording();
  const receiver = await createSlackReceiver(t, () => 200);
  const { id } = await createSlack(store, workspace, receiver.url);
  const response = await respond(survey, { nps: 0, why: 'My name is Ada' });
  await publish();
  await sql`update invite.responses set answers = '{}', erased_at = now() where id = ${response}`;
  await deliver(id);
  t.strictSame(receiver.calls, []);
  t.match(await deliveriesTo(id), [{ status: 'failed', error_code: 'event_expired' }]);
});

t.test('a receiver that quotes the address, or names what is wrong, leaves no more than a code', async (t) => {
  const { workspace } = await recording();
  let status = 404;
  const receiver = await createSlackReceiver(t, () => status);
  const { id } = await createSlack(store, workspace, receiver.url);
  await store.sendTestWebhook(id);
  const logged = await deliver(id);
  t.match(JSON.parse(receiver.calls[0]?.body ?? ''), { text: /^This is a test\. Low scores of .+ will come here\.$/ });
  t.match(await deliveriesTo(id), [{ status: 'pending', response_status: 404, response_start: null }]);
  t.notMatch(logged, SECRET);
  status = 403;
  await store.sendTestWebhook(id);
  await deliver(id);
  t.match((await deliveriesTo(id))[1], { response_status: 403, response_start: 'channel_is_archived' });
});

t.test('no network of our own is reached by a Slack address either', async (t) => {
  const { workspace } = await recording();
  const { id } = await createSlack(store, workspace, 'https://127.0.0.1:9/services/of/ours/and/theirs');
  await store.sendTestWebhook(id);
  const sender = createWebhookSender();
  t.teardown(() => sender.close());
  const loop = createWebhooks({ store, sender, keys, schedule: [3600], log: createLog('silent') });
  loop.wake();
  await until('it is settled', async () => (await deliveriesTo(id))[0]?.error_code === 'forbidden_address');
  await loop.stop();
});

t.test('a test workspace tells nobody, and another’s survey can’t be named', async (t) => {
  const { workspace, survey } = await recording();
  const elsewhere = await recording();
  const tested = await store.createTestWorkspace(workspace, undefined);
  const url = `https://hooks.slack.com${SECRET}`;
  t.equal(await constraint(createSlack(store, tested, url)), 'webhook_endpoints_slack_in_test');
  t.equal(await sqlstate(createSlack(store, workspace, url, { surveyId: elsewhere.survey })), 'P0002');
  t.equal(
    await constraint(createSlack(store, workspace, url, { surveyId: survey, below: 102 })),
    'webhook_endpoints_below_range',
  );
  const { id } = await createSlack(store, workspace, url);
  t.equal(
    await constraint(store.rotateWebhookSecret(id, keys.seal('x', { kind: 'webhook', id }), 0)),
    'webhook_endpoints_address_secret',
  );
  t.equal(await constraint(createSlack(store, workspace, 'not an address')), 'webhook_endpoints_url_form');
});

t.test('of an address, its host and its end are shown', async (t) => {
  t.equal(shownAddress(`https://hooks.slack.com${SECRET}`), 'https://hooks.slack.com/…x4Qe');
  t.equal(
    shownAddress('https://chat.example:8443/hooks/short'),
    'https://chat.example:8443/…',
    'most of a short one would be told',
  );
  t.equal(shownAddress('https://chat.example/a/path/that/is/long?token=secret#part'), 'https://chat.example/…long');
  for (const none of ['https://ada:secret@chat.example/x', 'chat.example', `https://chat.example/${'x'.repeat(2000)}`])
    t.equal(shownAddress(none), '', none.slice(0, 40));
  t.equal(slackCode('invalid_payload'), 'invalid_payload');
  for (const text of ['Not Found', `https://hooks.slack.com${SECRET}`, 'x'.repeat(51), undefined])
    t.equal(slackCode(text), undefined);
  const message = { survey: 's', title: 't', response: '1', question: 'q', score: 0, highest: 10, comment: null };
  t.equal(JSON.parse(slackBody(message, undefined)).text, '*0 of 10* · t\nq', 'without a comment, and without a public address');
});
