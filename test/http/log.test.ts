// The log of a series of requests has enough to find a request, and no secret or personal data.
import { connect } from 'node:net';
import { Writable } from 'node:stream';
import t, { type Test } from 'tap';
import { createLog } from '../../src/log.ts';
import { unsubscribeToken } from '../../src/mail/links.ts';
import { OUTAGE_WORDS } from '../../src/outage.ts';
import { FORM_TYPE, JSON_TYPE, startTestServer } from '../fixtures/http.ts';
import { createSurvey, createTestDatabase, createToken, until } from '../fixtures/setup.ts';

const { sql, store, urlAs } = await createTestDatabase(t);
const { survey } = await createSurvey(store);
const { secret } = await createToken(store, survey, { defaultMessage: 'private-default-message' });

/** Starts a server that logs everything into memory. */
async function setup(databaseUrl: string) {
  const lines: string[] = [];
  const destination = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  return { lines, ...(await startTestServer(t, databaseUrl, {}, createLog('trace', destination))) };
}

const payload = {
  email: 'private-address@example.com',
  name: 'private-name',
  subject: 'private-subject',
  message: 'private-message',
  metadata: { order: 'private-metadata' },
};
/** Returns the tokens of the tracked links, then those of the unsubscribe links. */
const linkTokens = async () => {
  const rows = await sql`select id, link_token from test.invitations order by id`;
  return [...rows.map((row) => row.link_token as string), ...rows.map((row) => unsubscribeToken(row.link_token))];
};

/** Asserts that the log has its lines and contains nothing private. */
function privateNowhere(t: Test, lines: readonly string[], links: readonly string[]) {
  const text = lines.join('');
  for (const word of [secret, secret.slice(4, 20), 'private', 'authorization', '?invitation', 'token=', ...links]) {
    t.notOk(text.includes(word), `no ${word}`);
  }
}

t.test('no request leaves a secret, a link, a query string or a recipient in the log', async (t) => {
  const { url, post, lines } = await setup(urlAs('invite_web'));
  const encoded = encodeURIComponent(secret);
  const statuses = [
    (await post(payload, { secret, headers: { 'x-request-id': 'request-7' } })).status,
    (await post({ ...payload, token: secret }, { query: `?secret=${encoded}` })).status,
    (await post(`email=private-address@example.com&token=${encoded}`, { headers: FORM_TYPE })).status,
    (await post({ ...payload, email: 'private-error', private_field: secret }, { secret })).status,
    (await post(`{"token":"${secret}" private`, { headers: JSON_TYPE })).status,
    (await post(payload, { secret: `${secret}-unknown` })).status,
  ];
  t.strictSame(statuses, [200, 200, 200, 400, 400, 400]);
  const links = await linkTokens();
  t.equal(links.length, 6);
  const [{ batch } = {}] = await sql`select id as batch from invite.batches order by id limit 1`;
  const [link, unsubscribing] = [links[0] as string, links[3] as string];
  for (const [method, path] of [
    ['GET', `/s/${survey}?invitation=${link}`],
    ['GET', `/s/${survey}?invitation=${link}%00`],
    ['GET', `/u/${unsubscribing}`],
    ['POST', `/u/${unsubscribing}`],
    ['GET', `/u/${unsubscribing}/x?token=${encoded}`],
    ['GET', `/unknown/${link}?token=${encoded}`],
    ['GET', `/api/unknown/${link}?token=${encoded}`],
    ['GET', `/%E0%A4%A/${link}`],
  ]) {
    await (await fetch(url + path, { method: method as string })).text();
  }
  const answers = new URLSearchParams({ invitation: link, 'answer.score': '9', 'answer.comment': 'private-comment' });
  t.equal((await fetch(`${url}/s/${survey}`, { method: 'POST', body: answers, redirect: 'manual' })).status, 303);

  privateNowhere(t, lines, links);
  const requests = lines.map((line) => JSON.parse(line)).filter((line) => line.msg === 'request');
  t.equal(requests.length, 15, 'a line for each request');
  t.match(requests[0], { request_id: 'request-7', method: 'POST', route: '/api/invitation-trigger', status: 200, batch });
  t.match(requests[3], { status: 400, code: 'invalid_recipient' });
});

t.test(
  'only a refusal that could be part of a flood has the address of its client; assets and probes are for debugging',
  async (t) => {
    const { url, post, lines } = await setup(urlAs('invite_web'));
    t.equal((await post(payload, { secret: 'sit_unknown' })).status, 400);
    t.equal((await post(payload)).status, 400);
    t.equal((await post({ ...payload, email: '' }, { secret })).status, 400);
    t.equal((await post(payload, { secret })).status, 200);
    for (const path of ['/assets/console.js', '/healthz', '/readyz']) t.equal((await fetch(url + path)).status, 200);
    const requests = lines.map((line) => JSON.parse(line)).filter((line) => line.msg === 'request');
    t.match(
      requests.map(({ level, code, client }) => [level, code, client]),
      [
        [30, 'unknown_token', '127.0.0.1'],
        [30, 'missing_token', '127.0.0.1'],
        [30, 'invalid_recipient', undefined],
        [30, undefined, undefined],
        [20, undefined, undefined],
        [20, undefined, undefined],
        [20, undefined, undefined],
      ],
    );
  },
);

t.test('a database that is away is one short line, however many requests fail', async (t) => {
  const { url, post, lines } = await setup('postgres://nobody:secret-password@127.0.0.1:1/none');
  for (let time = 0; time < 5; time += 1) {
    t.equal((await post(payload, { secret })).status, 503);
    t.equal((await fetch(`${url}/readyz`)).status, 503);
  }
  const said = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg !== 'request' && msg !== 'server started');
  t.equal(said.length, 1);
  t.match(said[0], {
    level: 50,
    code: 'ECONNREFUSED',
    msg: OUTAGE_WORDS.unreachable,
    stack: undefined,
  });
  t.notMatch(lines.join(''), /secret-password|node:net/);
});

t.test('a database that rejects a row leaves none of it in the log', async (t) => {
  const { url, post, lines } = await setup(urlAs('invite_web'));
  await sql`alter table invite.invitations add constraint invitations_none check (false) not valid`;
  const reply = await post(payload, { secret });
  await sql`alter table invite.invitations drop constraint invitations_none`;
  t.equal(reply.status, 500);
  t.equal(reply.body.error.code, 'internal_error');
  t.notMatch(reply.text, /invitations_none|constraint|private/);
  privateNowhere(t, lines, await linkTokens());
  t.match(lines.join(''), 'invitations_none', 'but what failed');
  t.match(lines.join(''), reply.body.request_id);
  t.equal((await fetch(`${url}/healthz`)).status, 200);
});

t.test('a database that cannot be reached leaves no password in the log', async (t) => {
  const { url, post, lines } = await setup('postgres://someone:private-password@127.0.0.1:1/none');
  t.equal((await post(payload, { secret })).status, 503);
  t.equal((await fetch(`${url}/readyz`)).status, 503);
  privateNowhere(t, lines, []);
  t.match(lines.join(''), 'ECONNREFUSED');
});

t.test("a caller that hangs up in the middle of its body isn't an error on our side", async (t) => {
  const { url, lines } = await setup(urlAs('invite_web'));
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(
    'POST /api/invitation-trigger HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"em',
  );
  socket.once('connect', () => setImmediate(() => socket.destroy()));
  const line = await until('the request is logged', () => lines.find((text) => text.includes('"request"')));
  t.notOk(
    lines.some((text) => JSON.parse(text).level >= 50),
    'no line of level error',
  );
  t.not(JSON.parse(line).code, 'not_ready');
  t.equal((await fetch(`${url}/healthz`)).status, 200);
});
