// The sender against a peer on loopback: the meaning of each connection fault, and that a message is always one request.
import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import t, { type Test } from 'tap';
import { createConfiguredSender } from '../../src/commands/service.ts';
import { createSender } from '../../src/relay/http-sender.ts';
import { mailpit } from '../../src/relay/mailpit.ts';
import { postmark } from '../../src/relay/postmark.ts';
import type { Messages, RelayAdapter } from '../../src/relay/relay.ts';
import { resend } from '../../src/relay/resend.ts';
import { outgoingMessage } from '../fixtures/mail.ts';
import { testConfig, until } from '../fixtures/setup.ts';

const KEY = 're_secret_key';
/** Port 1 is reserved (tcpmux): nobody listens there. */
const NOBODY = 'http://127.0.0.1:1';

async function listen(t: Test, server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => new Promise((resolve) => server.close(resolve)));
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`;
}

/** Starts a peer that reads each request to its end and then does what the test says. Returns a sender to it. */
async function peer(
  t: Test,
  answer: (response: ServerResponse, request: IncomingMessage) => void,
  options: { adapter?: RelayAdapter; connections?: number; timeoutSeconds?: number; path?: string } = {},
) {
  const requests: IncomingMessage[] = [];
  const server = createHttpServer((request, response) => {
    requests.push(request);
    request.resume().once('end', () => answer(response, request));
  });
  const url = (await listen(t, server)) + (options.path ?? '');
  const sender = createSender({ adapter: mailpit, url, apiKey: KEY, connections: 1, timeoutSeconds: 60, ...options });
  t.teardown(() => {
    server.closeAllConnections();
    return sender.close();
  });
  return { sender, requests, server };
}

const accept = (response: ServerResponse) => response.end('{"ID":"abc"}');

t.test("an accepted message is one request, with a User-Agent, under the relay's path", async (t) => {
  const { sender, requests } = await peer(t, accept, { path: '/mailpit/' });
  t.same(await sender.send([outgoingMessage()], 1), [{ kind: 'accepted', messageId: 'abc' }]);
  t.equal(requests.length, 1);
  t.match(requests[0], { method: 'POST', url: '/mailpit/api/v1/send' });
  t.match(requests[0]?.headers['user-agent'], /^invitation-trigger/);
});

t.test('a refused connection is a retry: nothing was sent', async (t) => {
  const sender = createSender({ adapter: mailpit, url: NOBODY, connections: 1, timeoutSeconds: 60 });
  t.teardown(() => sender.close());
  t.match(await sender.send([outgoingMessage()], 1), [{ kind: 'retry', code: 'ECONNREFUSED' }]);
});

/** These responses aren't complete before the deadline. */
const late: Record<string, (response: ServerResponse) => void> = {
  'no answer': () => {},
  'half an answer and then nothing': (response) => response.writeHead(200, { 'content-length': '12' }).write('{"ID":'),
  'an answer that comes drop by drop, each in time': (response) => {
    const timer = setInterval(() => response.write(' '), 100);
    response.once('close', () => clearInterval(timer));
  },
};

t.test('a message is requested once and may have been sent: its answer is not complete by the deadline', (t) =>
  Promise.all(
    Object.entries(late).map(async ([what, answer]) => {
      const { sender, requests } = await peer(t, answer, { timeoutSeconds: 5 });
      t.match(await sender.send([outgoingMessage()], 1), [{ kind: 'unknown', code: 'timeout' }], what);
      t.equal(requests.length, 1, what);
    }),
  ),
);

const faults: { what: string; answer: (response: ServerResponse) => void; outcome: object }[] = [
  { what: 'a reset after the request was read', answer: ({ socket }) => socket?.resetAndDestroy(), outcome: { kind: 'unknown' } },
  {
    what: 'a reset within the answer',
    answer: (response) => {
      response.writeHead(200, { 'content-length': '12' });
      response.write('{"ID":', () => response.socket?.resetAndDestroy());
    },
    outcome: { kind: 'unknown' },
  },
  {
    what: 'an answer larger than any relay gives',
    answer: (response) => response.end(`{"ID":"${'x'.repeat(300 * 1024)}"}`),
    outcome: { kind: 'unknown', code: 'UND_ERR_RES_EXCEEDED_MAX_SIZE' },
  },
  {
    what: 'a redirect, which is not followed',
    answer: (response) => response.writeHead(302, { location: '/api/v1/send' }).end(),
    outcome: { kind: 'config', code: 'http_302' },
  },
  ...[405, 407].map((status) => ({
    what: `the ${status} of another server, or of a proxy`,
    answer: (response: ServerResponse) => response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>No</h1>'),
    outcome: { kind: 'config', code: `http_${status}` },
  })),
  {
    what: 'an HTML page of a gateway',
    answer: (response) => response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>'),
    outcome: { kind: 'unknown', code: 'http_502' },
  },
  {
    what: 'too many requests, without a time',
    answer: (response) => response.writeHead(429).end(),
    outcome: { kind: 'retry', code: 'http_429', afterSeconds: undefined },
  },
  {
    what: 'too many requests, with seconds',
    answer: (response) => response.writeHead(429, { 'retry-after': '17' }).end(),
    outcome: { kind: 'retry', code: 'http_429', afterSeconds: 17 },
  },
  {
    what: 'too many requests, with a date by a clock that is years off',
    answer: (response) =>
      response.writeHead(429, { date: 'Sat, 01 Jan 2000 10:00:00 GMT', 'retry-after': 'Sat, 01 Jan 2000 10:01:30 GMT' }).end(),
    outcome: { kind: 'retry', code: 'http_429', afterSeconds: 90 },
  },
  {
    what: 'too many requests, with a date that has passed',
    answer: (response) => response.writeHead(429, { 'retry-after': 'Sat, 01 Jan 2000 10:01:30 GMT' }).end(),
    outcome: { kind: 'retry', code: 'http_429', afterSeconds: 1 },
  },
  {
    what: 'too many requests, with more seconds than PostgreSQL can count',
    answer: (response) => response.writeHead(429, { 'retry-after': '99999999999999' }).end(),
    outcome: { kind: 'retry', code: 'http_429', afterSeconds: 86_400 },
  },
  {
    what: 'too many requests, with nonsense for a time',
    answer: (response) => response.writeHead(429, { 'retry-after': 'soon' }).end(),
    outcome: { kind: 'retry', code: 'http_429', afterSeconds: undefined },
  },
];

for (const { what, answer, outcome } of faults) {
  t.test(`a message is requested once and has an outcome: ${what}`, async (t) => {
    const { sender, requests } = await peer(t, answer);
    const [given] = await sender.send([outgoingMessage()], 1);
    t.match(given, outcome);
    t.equal(requests.length, 1);
  });
}

t.test('a connection that the peer silently closes between two messages loses neither', async (t) => {
  const { sender, requests, server } = await peer(t, accept);
  let closed = 0;
  server.on('connection', (socket: Socket) => socket.once('close', () => (closed += 1)));
  t.match(await sender.send([outgoingMessage()], 1), [{ kind: 'accepted' }]);
  server.closeIdleConnections();
  await until('the connection is closed', () => closed === 1);
  t.match(await sender.send([outgoingMessage()], 1), [{ kind: 'accepted' }]);
  t.equal(requests.length, 2);
});

t.test('the key is never in an outcome, even if the relay repeats it', async (t) => {
  const body = { statusCode: 400, name: `bad_${KEY}`, message: `We know no key Bearer ${KEY}, ${KEY}.\u0000\n` };
  const { sender } = await peer(t, (response) => response.writeHead(400).end(JSON.stringify(body)), { adapter: resend });
  const [outcome] = await sender.send([outgoingMessage()], 1);
  t.same(outcome, { kind: 'rejected', code: 'bad_***', detail: 'We know no key Bearer ***, ***.' });
});

t.test(
  "an outcome has no secret of a link that a mail server's reply quotes, and nothing that turns its text around",
  async (t) => {
    const token = `home${'aB3_-'.repeat(6)}xyz`;
    for (const link of [
      `https://a.example/s/x?invitation=${token}`,
      `https://a.example/u/${token}#x`,
      `https://a.example/sign-in/${token}`,
    ]) {
      const body = JSON.stringify({ Error: `5.7.1\u202e<${link}> listed` });
      const { sender } = await peer(t, (response) => response.writeHead(422).end(body));
      const [outcome] = await sender.send([outgoingMessage()], 1);
      t.equal((outcome as { detail: string }).detail, `5.7.1 <${link.replace(token, '***')}> listed`);
    }
  },
);

t.test('an outcome has only what PostgreSQL can store, up to a limit', async (t) => {
  const message = `a\u0000b\ud800c${'x'.repeat(10_000)}`;
  const { sender } = await peer(t, (response) => response.writeHead(400).end(JSON.stringify({ Error: message })));
  const [outcome] = (await sender.send([outgoingMessage()], 1)) as { detail: string }[];
  t.match(outcome?.detail, /^a b\ufffdcx+$/);
  t.ok(Number(outcome?.detail.length) <= 500);
});

t.test('no more connections are opened than allowed; other messages wait their turn', async (t) => {
  const held: ServerResponse[] = [];
  const { sender, requests, server } = await peer(t, (response) => held.push(response), { connections: 2 });
  const connections = new Set<Socket>();
  server.on('connection', (socket: Socket) => connections.add(socket));
  const sends = Array.from({ length: 6 }, () => sender.send([outgoingMessage()], 1));
  for (let answered = 0; answered < 6; answered += 1) {
    const response = await until('a request is held', () => held.shift());
    t.ok(requests.length - answered <= 2, 'at most two are on their way');
    accept(response);
  }
  t.same(new Set((await Promise.all(sends)).flat().map(({ kind }) => kind)), new Set(['accepted']));
  t.equal(connections.size, 2);
  t.equal(requests.length, 6);
});

t.test(
  'a relay that knows idempotency keys gets one message per request unless the settings say otherwise, and none more than its maximum',
  async (t) => {
    const maxBatchOf = async (adapter: RelayAdapter, batch?: number) => {
      const sender = createSender({ adapter, connections: 1, timeoutSeconds: 60, batch });
      await sender.close();
      return sender.maxBatch;
    };
    t.equal(await maxBatchOf(resend), 1);
    t.equal(await maxBatchOf(resend, 50), 50);
    t.equal(await maxBatchOf(resend, 1000), 100);
    t.equal(await maxBatchOf(postmark), 500);
    t.equal(await maxBatchOf(postmark, 1), 1);
    t.equal(await maxBatchOf(mailpit, 50), 1);
  },
);

const two = (): Messages => [outgoingMessage(), outgoingMessage({ id: '8', idempotencyKey: 'batch.8.invitation' })];
const ids = '{"data":[{"id":"m7"},{"id":"m8"}]}';

t.test('a connection fault is the outcome of every message of the request', async (t) => {
  const sender = createSender({ adapter: resend, url: NOBODY, connections: 1, timeoutSeconds: 60 });
  t.teardown(() => sender.close());
  const outcome = { kind: 'retry', code: 'ECONNREFUSED' } as const;
  t.match(await sender.send(two(), 1), [outcome, outcome]);
});

t.test('a batch that may have got through is repeated once if the relay knows its key', async (t) => {
  const keys: unknown[] = [];
  const { sender, requests } = await peer(
    t,
    (response, request) => {
      keys.push(request.headers['idempotency-key']);
      if (requests.length === 1) response.socket?.resetAndDestroy();
      else response.end(ids);
    },
    { adapter: resend },
  );
  t.same(await sender.send(two(), 1), [
    { kind: 'accepted', messageId: 'm7' },
    { kind: 'accepted', messageId: 'm8' },
  ]);
  t.equal(keys.length, 2);
  t.equal(keys[0], keys[1]);
});

t.test('what the second answer leaves open stays unknown', async (t) => {
  const { sender, requests } = await peer(
    t,
    (response) => {
      if (requests.length === 1) response.socket?.resetAndDestroy();
      else response.writeHead(429).end();
    },
    { adapter: resend },
  );
  const outcome = { kind: 'unknown', detail: 'The connection to the relay broke before it responded.' } as const;
  t.match(await sender.send(two(), 1), [outcome, outcome]);
  t.equal(requests.length, 2);
});

t.test("a batch that may have got through isn't repeated if that would send it twice", async (t) => {
  const adapter = { ...resend, idempotency: 'none' } as const;
  const { sender, requests } = await peer(t, (response) => response.socket?.resetAndDestroy(), { adapter });
  t.match(await sender.send(two(), 1), [{ kind: 'unknown' }, { kind: 'unknown' }]);
  t.equal(requests.length, 1);
});

t.test('beside as many invitations as may be sent at a time there is a connection for an email to a member', async (t) => {
  const held: ServerResponse[] = [];
  const server = createHttpServer((request, response) => void request.resume().once('end', () => held.push(response)));
  const url = await listen(t, server);
  const sender = createConfiguredSender(testConfig({ RELAY: 'mailpit', RELAY_URL: url, RELAY_CONCURRENCY: '2' }));
  const sent = [1, 2, 3].map(() => sender.send([outgoingMessage()], 1));
  await until('three requests have arrived', () => held.length === 3);
  held.map(accept);
  await Promise.all(sent);
  await sender.close();
});
