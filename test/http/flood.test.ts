// Floods from many addresses, each within its limit. Callers with a known token must not wait because of them.
import { Readable } from 'node:stream';
import type { Request } from 'polka';
import t from 'tap';
import type { TriggerResult } from '../../src/database/store.ts';
import { FloodGuard } from '../../src/http/flood-guard.ts';
import type { Readiness } from '../../src/http/readiness.ts';
import { createSecret } from '../../src/secret.ts';
import { invitationTrigger, type TriggerContext } from '../../src/trigger/endpoint.ts';
import { TimeZones } from '../../src/trigger/time-zones.ts';
import { startTestServer } from '../fixtures/http.ts';
import { waitersFor } from '../fixtures/inspect.ts';
import { createSurvey, createTestDatabase, createToken, until } from '../fixtures/setup.ts';

const ada = { email: 'ada@example.com' };
const known = createSecret('home0001');
const accepted: TriggerResult = {
  outcome: 'accepted',
  batchId: '00000000-0000-7000-8000-000000000000',
  scheduledAt: new Date(),
  status: 'queued',
  replayed: false,
  deferred: false,
  holdReason: null,
  suppressed: 0,
  resting: null,
  leaveBy: null,
  workspaceId: null,
  surveyId: null,
};

/** Returns what sends a request to the endpoint, which accepts it as the function says. */
function setup(accept: (secretHash: Buffer) => Promise<TriggerResult>, floodGuard: FloodGuard) {
  const context: TriggerContext = {
    batcher: { accept: (_, { secretHash }) => accept(secretHash), idle: async () => {}, laneOf: (_, known) => String(known) },
    floodGuard,
    readiness: { ready: async () => {}, invalidate: () => {} } as unknown as Readiness,
    rejections: { count: () => {}, flush: async () => {}, close: async () => {} },
    timeZones: new TimeZones(async () => []),
    limits: { maxBodyBytes: 1_000_000, maxRecipients: 10, maxMetadataBytes: 1_000_000, maxMessageBytes: 100 },
    quota: async () => ({ limit: 1, remaining: 1 }),
    clientAddress: ({ headers }) => String(headers['x-address']),
  };
  const trigger = invitationTrigger(context);
  return (secret: string, address: string, fields: object = ada) => {
    const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json', 'x-address': address };
    const body = Readable.from([Buffer.from(JSON.stringify(fields))]);
    return trigger(Object.assign(body, { method: 'POST', headers, headersDistinct: {}, query: {} }) as unknown as Request);
  };
}

t.test('a wrong body counts as a request for each 64 KiB, for its token or its address; a valid one counts once', async (t) => {
  // The clock stands still.
  const guard = new FloodGuard({ requestsPerMinute: 20, unknownPerMinute: 20 }, () => 0);
  const request = setup(async () => accepted, guard);
  const large = (email: string) => ({ email, metadata: { note: 'x'.repeat(480_000) } });
  const codes = async (secret: string, address: string, email: string, count: number) => {
    const found: string[] = [];
    for (let n = 0; n < count; n += 1)
      found.push(
        await request(secret, address, large(email)).then(
          () => 'accepted',
          ({ code }) => code,
        ),
      );
    return found;
  };
  t.same(await codes(known.secret, '192.0.2.1', 'ada@example.com', 8), Array(8).fill('accepted'));
  const wrong = ['invalid_recipient', 'invalid_recipient', 'flood_protection'];
  t.same(await codes(known.secret, '192.0.2.1', 'ada', 3), wrong, 'twelve are left, and each takes eight');
  t.same(await codes('guess', '192.0.2.2', 'ada', 4), ['invalid_recipient', ...wrong]);
  t.same(await codes('another-guess', '192.0.2.3', 'ada', 1), ['invalid_recipient'], 'other addresses are not concerned');
});

t.test('page requests whose look-ups hang leave connections to triggers, and are bounded', async (t) => {
  const db = await createTestDatabase(t);
  const { survey } = await createSurvey(db.store);
  const { secret } = await createToken(db.store, survey);
  // Without a lock timeout, this function waits for as long as the test holds its lock.
  await db.sql`alter function invite.survey_page(text, text, integer, text, timestamptz, text[]) set lock_timeout = 0`;
  const { url, post } = await startTestServer(t, db.urlAs('invite_web'), { TRUST_PROXY: '1' });
  t.equal((await post(ada, { secret })).status, 200);

  const holder = db.connect();
  await holder`begin`;
  await holder`lock table invite.past_questions in access exclusive mode`;
  const pages = Array.from({ length: 20 }, (_, number) =>
    fetch(`${url}/s/none?n=${number}`, { headers: { 'x-forwarded-for': `192.0.2.${number + 1}` } }),
  );
  const hanging = () => waitersFor(db.sql, 'invite.past_questions');
  await until('look-ups hang', async () => (await hanging()) >= 2);
  t.equal((await post(ada, { secret })).status, 200);
  t.equal(await hanging(), 2, 'half of DATABASE_POOL');
  await holder`commit`;
  t.same(new Set((await Promise.all(pages)).map(({ status }) => status)), new Set([404]));
});

t.test('guesses that wait for the database leave room to a token that is known', async (t) => {
  const held = Promise.withResolvers<TriggerResult>();
  let waiting = 0;
  const request = setup(
    async (secretHash) => {
      if (secretHash.equals(known.hash)) return accepted;
      waiting += 1;
      return held.promise;
    },
    new FloodGuard({ requestsPerMinute: 60, unknownPerMinute: 30 }),
  );
  t.match(await request(known.secret, '192.0.2.1'), { status: 200 });

  const guesses = Array.from({ length: 1100 }, (_, number) =>
    request(`guess-${number}`, `198.51.${number >> 8}.${number & 255}`),
  );
  const codesOf = async (requests: typeof guesses) => {
    const ended = await Promise.allSettled(requests);
    return new Set(ended.map((end) => (end.status === 'rejected' ? (end.reason.code ?? end.reason.name) : 'passed')));
  };
  t.same(await codesOf(guesses.slice(1000)), new Set(['NotReadyError']));
  t.equal(waiting, 1000);
  t.match(await request(known.secret, '192.0.2.1'), { status: 200 });
  held.resolve({ outcome: 'unknown_token', retryAfterSeconds: null, workspaceId: null, surveyId: null });
  t.same(await codesOf(guesses.slice(0, 1000)), new Set(['unknown_token']));
});
