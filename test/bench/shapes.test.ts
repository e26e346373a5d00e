// Whatever the shape of a body or a query, four times its size costs at most eight times the processor time: for every route, up to its
// limit. Linear work costs four times as much and quadratic work sixteen times, so what memory and the garbage collector add makes no
// difference. What is measured is the processor time of the thread that serves, and of several runs the shortest, so that a busy machine
// makes none either.
import { once } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Worker } from 'node:worker_threads';
import t, { type Test } from 'tap';
import { CONSOLE_ROUTES } from '../../src/console/routes.ts';
import { csrfToken } from '../../src/console/session.ts';
import { withoutName } from '../../src/mail/template.ts';
import { RECIPIENT_ROUTES } from '../../src/recipient/routes.ts';
import { MAX_EVENTS_BYTES } from '../../src/relay-events/relay-events.ts';
import { startTestServer } from '../fixtures/http.ts';
import { createMember } from '../fixtures/members.ts';
import type { Sending } from '../fixtures/poster.ts';
import { EVENT_SOURCES, signer } from '../fixtures/relay-events.ts';
import { createBatch, createTestDatabase, createToken } from '../fixtures/setup.ts';
import { FEW_FORMS, FORMS, JSONS } from '../fixtures/shapes.ts';

const [TIMES, GROWTH] = [4, 8];
/** What harms nobody at the limit: garbage is collected in steps, and V8 keeps small objects otherwise than large ones. Milliseconds. */
const NEGLIGIBLE = 40;
const RUNS = 8;

const MB = 1024 * 1024;
/** Node takes 16 KB of headers. */
const MAX_QUERY = 14_000;

/** Whether the work is linear, by the shortest of several runs of each size. @param run Is told the part of the size; returns milliseconds. */
async function isLinear(run: (part: number) => number | Promise<number>): Promise<{ linear: boolean; times: string }> {
  let [small, full] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  let linear = false;
  for (let count = 1; count <= RUNS && !linear; count += 1) {
    // What other runs left behind must not be counted.
    if (count > 1) collectGarbage();
    small = Math.min(small, await run(1 / TIMES));
    full = Math.min(full, await run(1));
    linear = full <= GROWTH * small + NEGLIGIBLE;
  }
  return { linear, times: `${small.toFixed(1)} ms, ${TIMES} times the size ${full.toFixed(1)} ms` };
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const milliseconds = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1000;

/** Processor time of this thread. */
function timeOf(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  return milliseconds(process.threadCpuUsage(before));
}

t.test('this test sees work that is quadratic', async (t) => {
  // It allocates nothing: for large arrays the kernel would work for minutes on a busy machine.
  const comparing = (length: number) => {
    let equal = 0;
    for (let one = 0; one < length; one += 1) for (let other = 0; other < length; other += 1) if (one * other === 42) equal += 1;
    return equal;
  };
  // The first comparison would be enough: one slow run of half the size must not count.
  const shortest = (length: number) => Math.min(...[1, 2, 3].map(() => timeOf(() => comparing(length))));
  t.notOk((await isLinear((part) => shortest(20_000 * part))).linear);
});

const { sql, store, urlAs } = await createTestDatabase(t);
const unlimited = '1000000';
const server = await startTestServer(t, urlAs('invite_web'), {
  FLOOD_REQUESTS_PER_MINUTE: unlimited,
  FLOOD_UNKNOWN_PER_MINUTE: unlimited,
  FLOOD_PAGES_PER_MINUTE: unlimited,
  FLOOD_OPEN_RESPONSES_PER_MINUTE: unlimited,
});
const { workspace, survey, batch } = await createBatch(store);
const { token, secret } = await createToken(store, survey);
const owner = await createMember(store, workspace, 'owner');
const [invitation] = await sql`select id, link_token from test.invitations where batch_id = ${batch}`;

const poster = new Worker(new URL('../fixtures/poster.ts', import.meta.url), { execArgv: [] });
t.teardown(() => poster.terminate());
const statuses = new Set<unknown>();

/** Processor time of this thread, which serves, for one request. */
async function timeOfRequest(sending: Sending): Promise<number> {
  poster.postMessage(sending);
  await once(poster, 'message');
  const before = process.threadCpuUsage();
  poster.postMessage('send');
  const [status] = await once(poster, 'message');
  statuses.add(status);
  return milliseconds(process.threadCpuUsage(before));
}

async function checkShapes(
  t: Test,
  as: Sending['as'],
  names: string[],
  limit: number,
  sending: Omit<Sending, 'bytes' | 'shape' | 'as'>,
) {
  statuses.clear();
  for (const shape of names) {
    const { linear, times } = await isLinear((part) => timeOfRequest({ ...sending, as, shape, bytes: limit * part }));
    t.ok(linear, `${shape}: ${times}`);
  }
  for (const status of statuses) t.ok(typeof status === 'number' && status < 500, `it was answered: ${status}`);
}

for (const [what, headers] of [
  ['a known secret', { authorization: `Bearer ${secret}` }],
  ['no secret', {}],
] as const) {
  t.test(`the trigger endpoint with ${what}`, async (t) => {
    const sending = { url: `${server.url}/api/invitation-trigger`, method: 'POST', headers };
    await checkShapes(t, 'form', Object.keys(FORMS), MB, sending);
    await checkShapes(t, 'json', Object.keys(JSONS), MB, sending);
    await checkShapes(t, 'query', FEW_FORMS, MAX_QUERY, sending);
  });
}

/** A path of a route's pattern. */
const pathOf = (pattern: string): string =>
  pattern
    .replace(':workspace', workspace)
    .replace(':survey', survey)
    .replace(':invitation', String(invitation?.id))
    .replace(':batch', batch)
    .replace(':key', 'x'.repeat(43))
    .replace(':token', pattern.startsWith('/u/') ? String(invitation?.link_token) : token);

const PUBLIC: (readonly [method: string, pattern: string])[] = [
  ...RECIPIENT_ROUTES.map(([method, path]) => [method, path] as const),
  ['GET', '/none'],
  ['GET', '/openapi.json'],
  ['GET', '/readyz'],
];
/** What a test of shapes must not do. */
const ENDING = ['/sign-out', '/sessions', '/surveys/:survey/api-trigger/:token/delete'];

for (const [method, pattern] of [...PUBLIC, ...CONSOLE_ROUTES.filter(([, path]) => !ENDING.includes(path))]) {
  const cookie = `session=${owner.key}`;
  const sending = { url: server.url + pathOf(pattern), method, headers: { cookie } };
  t.test(`${method} ${pattern}`, async (t) => {
    if (method === 'GET') await checkShapes(t, 'query', FEW_FORMS, MAX_QUERY, sending);
    else {
      const isPublic = PUBLIC.some(([, path]) => path === pattern);
      const [names, limit] = isPublic ? [Object.keys(FORMS), MB] : [FEW_FORMS, MB / 4];
      await checkShapes(t, 'form', names, limit, { ...sending, before: `csrf=${csrfToken(owner.key)}&` });
    }
  });
}

for (const [relay, source] of Object.entries(EVENT_SOURCES)) {
  t.test(`events of ${relay}, verified and read`, async (t) => {
    const now = new Date();
    const signed = signer(Math.floor(now.getTime() / 1000)).signResend(Buffer.from('{}'));
    for (const [name, { of }] of Object.entries(JSONS)) {
      const [small, full] = [MAX_EVENTS_BYTES / TIMES, MAX_EVENTS_BYTES].map((bytes) => Buffer.from(of(bytes)));
      const read = (body: Buffer) => {
        source.verify(body, signed.headers, signed.secret, now);
        try {
          source.confirmation?.(body);
          source.parse(body);
        } catch (error) {
          t.type(error, SyntaxError, name);
        }
      };
      const { linear, times } = await isLinear((part) => timeOf(() => read((part < 1 ? small : full) as Buffer)));
      t.ok(linear, `${name}: ${times}`);
    }
  });
}

const NAME = '{{recipient_name}}';
for (const piece of [
  ' ',
  '\t',
  ',',
  ', ',
  ' ,',
  '\n',
  '. ',
  '–',
  ' – ',
  NAME,
  ` ${NAME}`,
  `, ${NAME}`,
  `${NAME}, `,
  `. ${NAME} –`,
]) {
  t.test(`a message of ${JSON.stringify(piece)} for a recipient without a name`, async (t) => {
    for (const [start, end] of [
      ['', ''],
      ['a', 'a'],
      [NAME, NAME],
      ['a', NAME],
    ] as const) {
      const message = (length: number) => start + piece.repeat(length / piece.length) + end;
      const [small, full] = [message(65_536 / TIMES), message(65_536)];
      const { linear, times } = await isLinear((part) => timeOf(() => withoutName(part < 1 ? small : full, 'Hello,')));
      t.ok(linear, `${start} … ${end}: ${times}`);
    }
  });
}
