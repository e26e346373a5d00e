// What CHAOS=neighbors lets one workspace do to the others, each as bad as a test can make it, and how a quiet workspace fares meanwhile: its
// pages, webhooks, single invitations and sign-in emails.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { openDatabase } from '../../src/database/pool.ts';
import { fill } from '../bench/results.ts';
import { openSession } from '../fixtures/members.ts';
import { createTestToken } from '../fixtures/test-workspaces.ts';
import { createWebhook } from '../fixtures/webhooks.ts';
import { acceptEmails, type Chaos, createTrigger, postTrigger, summary } from './harness.ts';

const RESPONSES = 300_000;
const MEMBERS = 20;
const PAGES_EACH = 30;
const LEAVES_AFTER_MS = 5_000;
const ENDPOINTS = 20;
const EVENTS = 25;
const SLOW_MS = 12_000;
const POLLS = 500;
const POLLING_TOKENS = 10;
const ADDRESSES = 10;
const QUIET_MEMBERS = 10;
const MEGABYTE = 1_048_576;

const ATTACK_MS = 20_000;
const PAGE_WITHIN_MS = 15_000;
const PROBE_EVERY_MS = 250;
const LIMITS_MS = { page: 1_000, webhook: 5_000, invitation: 3_000, 'sign-in': 2_000 };
type Probe = keyof typeof LIMITS_MS;

interface Attack {
  readonly name: string;
  /** Goes on until the signal. */
  run(stop: AbortSignal): Promise<unknown>;
}

export interface Stage {
  readonly chaos: Chaos;
  readonly port: string;
  /** By address: when the relay got its email. */
  readonly arrived: ReadonlyMap<string, number>;
}

/** Runs each attack for a while. Returns how many of the quiet workspace's limits were exceeded. */
export async function hostile(stage: Stage): Promise<number> {
  const { attacks, answers, close } = await createAttacks(stage);
  const quiet = await createQuiet(stage);
  let late = 0;
  for (const [index, { name, run }] of [{ name: 'nothing', run: async () => {} }, ...attacks].entries()) {
    const stop = AbortSignal.timeout(ATTACK_MS);
    answers.clear();
    const running = run(stop);
    const times = await quiet.probe(`quiet${index}`, ATTACK_MS);
    await running;
    await stage.chaos
      .sql`update invite.webhook_deliveries set status = 'failed', due_at = null, leased_until = null where status = 'pending'`;
    const words = Object.entries(times).map(([probe, ms]) => `${ms.length} ${probe}s ${summary(ms)}`);
    const missed = (Object.keys(times) as Probe[]).filter((probe) => isLate(probe, times[probe]));
    const got = [...answers].map(([status, count]) => `${count} × ${status}`).join(', ') || 'none';
    console.log(
      `beside ${name} (answers: ${got}): ${words.join(', ')}${missed.length > 0 ? `; TOO LATE: ${missed.join(', ')}` : ''}`,
    );
    late += missed.length;
  }
  await quiet.close();
  await close();
  return late;
}

/** Of pages the 99th percentile counts, and of the others each one. */
function isLate(probe: Probe, times: readonly number[]): boolean {
  const sorted = [...times].sort((a, b) => a - b);
  const worst = sorted[probe === 'page' ? Math.floor(sorted.length * 0.99) - 1 : sorted.length - 1];
  return worst === undefined || worst > LIMITS_MS[probe];
}

/** A workspace of one member with an endpoint that responds at once. */
async function createQuiet({ chaos: { store, sql }, port, arrived }: Stage) {
  const { workspace, survey, secret } = await createTrigger(store);
  // Each asks for a page every few seconds: the pages of one person come one after another.
  const members: Awaited<ReturnType<typeof signIn>>[] = [];
  for (let index = 0; index < QUIET_MEMBERS; index += 1) {
    await store.upsertMember(workspace, `quiet${index}@example.com`, 'owner');
    members.push(await signIn(store, `quiet${index}@example.com`));
  }
  const called = new Map<string, number>();
  const receiver = await startReceiver(0, (id) => called.set(id, performance.now()));
  const endpoint = await createWebhook(store, workspace, receiver.url, ['survey.closed']);
  const pages = [`/workspaces/${workspace}`, `/surveys/${survey}/results`, `/surveys/${survey}/invitations`];
  const get = async (round: number) => {
    const path = pages[round % pages.length];
    const headers = members[round % members.length]?.headers ?? {};
    const began = performance.now();
    const signal = AbortSignal.timeout(PAGE_WITHIN_MS);
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers, redirect: 'manual', signal }).catch(
      () => undefined,
    );
    const text = await response?.text().catch(() => undefined);
    if (response?.status === 200) return performance.now() - began;
    const title = /<title>([^<]*)/.exec(text ?? '')?.[1];
    console.log(`a quiet page after ${Math.round(performance.now() - began)} ms: ${response?.status} ${title}`);
    return Infinity;
  };

  return {
    async probe(name: string, milliseconds: number): Promise<Record<Probe, number[]>> {
      const loaded: Promise<number>[] = [];
      const sent: Promise<readonly [id: string, at: number]>[] = [];
      const asked: Promise<readonly [email: string, kind: Probe, at: number]>[] = [];
      const began = performance.now();
      for (let round = 0; performance.now() - began < milliseconds; round += 1) {
        const at = performance.now();
        loaded.push(get(round));
        sent.push(
          store.sendTestWebhook(endpoint.id).then(async (delivery) => {
            const [row] = await sql`select event_id from invite.webhook_deliveries where id = ${delivery}`;
            return [row?.event_id, at] as const;
          }),
        );
        const [email, member] = [`${name}${round}@quiet.example`, `${name}-${round}@members.example`];
        asked.push(postTrigger(port, secret, { email }).then(() => [email, 'invitation', at] as const));
        await store.upsertMember(workspace, member, 'viewer');
        asked.push(
          Promise.resolve(store.console.requestSignInLink(member, undefined)).then(() => [member, 'sign-in', at] as const),
        );
        await delay(PROBE_EVERY_MS - ((performance.now() - at) % PROBE_EVERY_MS));
      }
      const [page, webhooks, emails] = await Promise.all([Promise.all(loaded), Promise.all(sent), Promise.all(asked)]);
      const all = () => webhooks.every(([id]) => called.has(id)) && emails.every(([email]) => arrived.has(email));
      for (let waited = 0; waited < 15_000 && !all(); waited += 50) await delay(50);
      const took = (kind: Probe) =>
        emails.filter(([, of]) => of === kind).map(([email, , at]) => (arrived.get(email) ?? Infinity) - at);
      return {
        page,
        webhook: webhooks.map(([id, at]) => (called.get(id) ?? Infinity) - at),
        invitation: took('invitation'),
        'sign-in': took('sign-in'),
      };
    },
    close: receiver.close,
  };
}

/** Returns what a workspace can do, and how often it got each status. */
async function createAttacks({ chaos: { store, sql, url }, port }: Stage) {
  const answers = new Map<number, number>();
  const counted = <T extends { status: number }>(response: T): T => {
    answers.set(response.status, (answers.get(response.status) ?? 0) + 1);
    return response;
  };
  const base = `http://127.0.0.1:${port}`;
  const filling = openDatabase(url, { max: 1, applicationName: 'chaos', transactions: true });
  const { survey } = await fill({ sql: filling, store }, RESPONSES);
  await filling.end();
  // A worker still counts all these responses and indexes their recipients, and the processors must be idle before the first attack.
  const isBusy = async () => {
    const [row] = await sql`
      select exists (select from invite.result_changes)
        or (select max(i.id) from invite.invitations as i) > (select p.indexed_to from invite.search_progress as p) as busy`;
    return row?.busy;
  };
  while (await isBusy()) await delay(100);
  const [{ workspace } = { workspace: '' }] = await sql<{ workspace: string }[]>`
    select workspace_id as workspace from invite.surveys where id = ${survey}`;
  const members: { session: Buffer; headers: Record<string, string> }[] = [];
  for (let index = 0; index < MEMBERS; index += 1) {
    await store.upsertMember(workspace, `hostile${index}@example.com`, index === 0 ? 'owner' : 'editor');
    const { session, headers } = await signIn(store, `hostile${index}@example.com`);
    members.push({ session, headers: { ...headers, 'x-forwarded-for': `192.0.2.${index}` } });
  }
  const [owner] = members;
  if (owner === undefined) throw new Error('there is no owner');
  const slow = await startReceiver(SLOW_MS);
  const addEndpoints = async (to: string) => {
    const endpoints: string[] = [];
    for (let index = 0; index < ENDPOINTS; index += 1)
      endpoints.push((await createWebhook(store, to, `${slow.url}/${index}`)).id);
    return endpoints;
  };
  const endpoints = await addEndpoints(workspace);
  const tests: { endpoints: string[]; secret: string }[] = [];
  for (let index = 0; index < 5; index += 1) {
    const test = await store.createTestWorkspace(workspace, undefined);
    const own = await store.upsertSurvey({ workspaceId: test, title: 'Test', state: 'active' });
    tests.push({ endpoints: await addEndpoints(test), secret: (await createTestToken(store, own)).secret });
  }
  const send = async (to: readonly string[], events: number) => {
    for (let event = 0; event < events; event += 1) for (const id of to) await store.sendTestWebhook(id);
  };

  /**
   * Gets a page, and leaves it unread if asked to. After a refusal it waits for a second. A request that the end interrupts is no error.
   */
  const get = (path: string, headers: Record<string, string>, stop: AbortSignal, read = true) =>
    fetch(base + path, { headers, signal: stop }).then(
      async (response): Promise<unknown> => {
        if (counted(response).status >= 400) await delay(1000);
        return read ? response.text() : once(stop, 'abort');
      },
      () => delay(100),
    );
  /** Repeats a call until the end. */
  const repeat = async (stop: AbortSignal, call: () => Promise<unknown>) => {
    while (!stop.aborted) await call().catch(() => {});
  };
  const filters = [
    '?filter=country%3DNO&filter=vip%3Dtrue',
    '?question=why',
    '?filter=order%3Dnone',
    '?question=score&answer=10',
    '?by=country',
  ];
  const filterOf = (index: number) => filters[index % filters.length];

  const attacks: Attack[] = [
    { name: `${ENDPOINTS} endpoints that answer after ${SLOW_MS / 1000} s`, run: () => send(endpoints, EVENTS) },
    {
      name: `webhooks of ${tests.length} test workspaces, whose clocks move`,
      run: async (stop) => {
        await Promise.all([
          ...tests.map(({ endpoints }) => send(endpoints, 4)),
          ...tests.map(({ secret }) =>
            repeat(stop, async () => {
              const emails = Array.from({ length: 100 }, (_, index) => `responds-${index % 11}@sim.invalid`);
              await postTrigger(port, secret, { emails });
              const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
              const body = JSON.stringify({ by: 'P30D' });
              const response = await fetch(`${base}/api/v1/test/advance`, { method: 'POST', headers, body, signal: stop });
              await counted(response).text();
            }),
          ),
        ]);
      },
    },
    {
      name: `${MEMBERS} members × ${PAGES_EACH} Results of ${RESPONSES} responses, filtered or broken down`,
      run: (stop) =>
        Promise.all(
          members.flatMap(({ headers }, member) =>
            Array.from({ length: PAGES_EACH }, (_, index) =>
              repeat(stop, () => {
                // Every third leaves before its page has come.
                const signal = index % 3 === 0 ? AbortSignal.any([stop, AbortSignal.timeout(LEAVES_AFTER_MS)]) : stop;
                return get(`/surveys/${survey}/results${filterOf(member + index)}`, headers, signal);
              }),
            ),
          ),
        ),
    },
    {
      name: `${MEMBERS} exports, a third of which nobody reads`,
      run: (stop) =>
        Promise.all(
          members.map(({ headers }, member) =>
            repeat(stop, () => get(`/surveys/${survey}/results.csv${filterOf(member)}`, headers, stop, member % 3 > 0)),
          ),
        ),
    },
    {
      name: `searches of ${MEMBERS} members`,
      run: (stop) =>
        Promise.all(
          members.flatMap(({ headers }) =>
            ['p', 'person1', '@example.com', 'example', 'nobody'].map((text) =>
              repeat(stop, () => get(`/workspaces/${workspace}/recipients?search=${encodeURIComponent(text)}`, headers, stop)),
            ),
          ),
        ),
    },
    { name: `${POLLS} requests that wait for events`, run: (stop) => poll(stop) },
    { name: 'forms and JSON of a megabyte', run: (stop) => postForms(stop) },
    {
      name: 'test emails, new members and sign-in links',
      run: async () => {
        const [token] = await sql<{ id: string }[]>`select id from invite.trigger_tokens where survey_id = ${survey} limit 1`;
        // Those over a limit are refused.
        const ask = (query: PromiseLike<unknown>) => Promise.resolve(query).catch(() => {});
        for (let round = 0; round < 10; round += 1)
          for (const [index, { session }] of members.entries()) {
            await ask(store.console.requestTestInvitation(session, survey, { tokenId: token?.id ?? '', kind: 'invitation' }));
            await ask(store.console.requestSignInLink(`hostile${index}@example.com`, undefined));
            await ask(store.console.addMember(owner.session, workspace, `new${round}-${index}@example.com`, 'viewer'));
          }
      },
    },
  ];
  return { attacks, answers, close: slow.close };

  async function poll(stop: AbortSignal) {
    await store.setWorkspaceEvents(workspace, true);
    const { survey: other, hash } = await createTrigger(store, workspace);
    const secrets: string[] = [];
    for (let index = 0; index < POLLING_TOKENS; index += 1) {
      const token = await createTrigger(store, workspace);
      await sql`update invite.trigger_tokens set allow_reading = true where survey_id = ${token.survey}`;
      secrets.push(token.secret);
    }
    await Promise.all([
      ...Array.from({ length: POLLS }, (_, index) =>
        repeat(stop, async () => {
          await get('/api/events?wait=30', { authorization: `Bearer ${secrets[index % secrets.length]}` }, stop);
          // With a limit of 60 a minute for each token, no more is answered.
          await delay((POLLS / secrets.length) * 1000, undefined, { signal: stop }).catch(() => {});
        }),
      ),
      // Each of these wakes those who wait.
      repeat(stop, async () => {
        await acceptEmails(store, hash, 1);
        await sql`update invite.surveys set state = case state when 'active' then 'closed' else 'active' end::invite.survey_state where id = ${other}`;
        await delay(500);
      }),
    ]);
  }

  async function postForms(stop: AbortSignal) {
    const [{ secret }, { secret: second }] = [await createTrigger(store, workspace), await createTrigger(store, workspace)];
    const form = 'application/x-www-form-urlencoded';
    const repeated = (text: string, bytes: number) => text.repeat(Math.floor(bytes / text.length));
    const keys = Array.from({ length: 60_000 }, (_, index) => `"key${index}":1`).join(',');
    const bodies: [type: string, secret: string | undefined, body: string][] = [
      [form, undefined, repeated('emails=a&', 65_000)],
      [form, undefined, repeated('a&', 65_000)],
      [form, 'sit_home_guess', repeated('a&', MEGABYTE)],
      [form, secret, repeated('a&', MEGABYTE)],
      [form, secret, repeated('metadata[a][]=b&', MEGABYTE)],
      [form, second, repeated('emails=a&', 90_000)],
      ['application/json', second, `{"email":"a@example.com","metadata":{${keys}}}`],
      ['application/json', 'sit_home_guess', `{"email":"a@example.com","metadata":{${keys}}}`],
    ];
    const posts: Promise<unknown>[] = [];
    for (let count = 0; !stop.aborted; count += 1) {
      const [type, given, body] = bodies[count % bodies.length] ?? [form, undefined, ''];
      const headers = {
        'content-type': type,
        'x-forwarded-for': `192.0.2.${1 + (count % ADDRESSES)}`,
        ...(given !== undefined && { authorization: `Bearer ${given}` }),
      };
      posts.push(
        fetch(`${base}/api/invitation-trigger`, { method: 'POST', headers, body, signal: stop }).then(
          (response) => counted(response).text(),
          () => {},
        ),
      );
      await delay(66);
    }
    await Promise.all(posts.map((post) => post.catch(() => {})));
  }
}

/** Opens a session. PUBLIC_URL begins with https, so the cookie has that prefix. */
async function signIn(store: Chaos['store'], email: string) {
  const { key, session } = await openSession(store, email);
  return { session, headers: { cookie: `__Host-session=${key}` } };
}

/** A webhook endpoint that responds after a time, in milliseconds. */
async function startReceiver(after: number, onCall: (id: string) => void = () => {}) {
  const server = createServer((request, response) => {
    onCall(String(request.headers['webhook-id']));
    request.resume();
    setTimeout(() => response.end(), after);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
