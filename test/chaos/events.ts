// CHAOS=events: events are sent to endpoints that misbehave, while the worker is killed with kill -9 and PostgreSQL crashes. An SQL reader
// reads beside transactions that commit in another order than they began. No event may be lost, and the reader may read none twice.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { openDatabase, type Sql } from '../../src/database/pool.ts';
import type { Store } from '../../src/database/store.ts';
import { createWebhook, SECRET_KEYS } from '../fixtures/webhooks.ts';
import { crashPostgres, createTrigger, end, openChaos, relaySettings, startProgram } from './harness.ts';
import { createRandom } from './random.ts';
import { startRelay } from './relay.ts';

const ENDPOINTS = 5;
const EVENTS = Number(process.env.CHAOS_EVENTS ?? 2_000);
const KILLS = 5;
const CRASHES = 2;
const COMMITTERS = 1_000;
const CONNECTIONS = 20;
const DELIVERED_WITHIN_MS = 300_000;

export async function events(): Promise<number> {
  const { sql, store, url, close } = await openChaos('chaos_events');
  const relay = await startRelay({ delayMs: 1 });
  const { workspace, survey } = await createTrigger(store);
  const receivers = await Promise.all(Array.from({ length: ENDPOINTS }, (_, number) => startReceiver(number)));
  for (const receiver of receivers) await createWebhook(store, workspace, receiver.url, ['response.submitted']);
  const env = {
    DATABASE_URL: url,
    ...relaySettings(relay.url),
    WEBHOOK_ALLOW: '127.0.0.1/32',
    SECRET_KEYS,
    WEBHOOK_RETRY_SECONDS: Array.from({ length: 60 }, () => '1').join(','),
  };
  let worker = await startProgram('work', env);

  const responding = respond(store, survey);
  for (let fault = 0; fault < KILLS + CRASHES; fault += 1) {
    await delay(3_000);
    if (fault % 3 === 2) await crashPostgres();
    else {
      await end(worker, 'SIGKILL');
      worker = await startProgram('work', env);
    }
  }
  await responding;
  const deadline = Date.now() + DELIVERED_WITHIN_MS;
  const pending = async () =>
    (
      await sql`
      select from invite.new_events union all select from invite.webhook_deliveries where status = 'pending' limit 1`.catch(
        () => [1],
      )
    ).length;
  while (Date.now() < deadline && (await pending()) > 0) await delay(500);
  const ids = (await sql<{ id: string }[]>`select id from invite.events where type = 'response.submitted'`).map(({ id }) => id);
  const missing = receivers.reduce((sum, { taken }) => sum + ids.filter((id) => !taken.has(id)).length, 0);
  const strange = receivers.reduce((sum, { taken }) => sum + [...taken.keys()].filter((id) => !ids.includes(id)).length, 0);
  const repeated = receivers.reduce(
    (sum, { taken }) => sum + [...taken.values()].reduce((repeats, times) => repeats + times - 1, 0),
    0,
  );
  const requests = receivers.reduce((sum, { requests }) => sum + requests(), 0);
  const unpublished = Math.max(EVENTS - ids.length, 0);

  const { skipped, twice } = await interleave(url, sql, store, workspace);
  console.log(
    `${EVENTS} events to ${ENDPOINTS} endpoints that answer 200, 500, 429, hang, reset and redirect, beside ${KILLS} kills of the worker and ` +
      `${CRASHES} crashes of PostgreSQL: ${missing + unpublished} lost, ${repeated} taken twice, each under its webhook-id ` +
      `(${strange} under another), by ${requests} requests\n` +
      `${COMMITTERS} interleaved committers and an SQL reader: ${skipped} skipped, ${twice} read twice`,
  );
  await end(worker, 'SIGTERM');
  for (const receiver of receivers) receiver.close();
  relay.close();
  await close();
  return missing + unpublished + strange + skipped + twice;
}

/** Starts an endpoint that accepts two requests in three. */
async function startReceiver(number: number) {
  const random = createRandom(number);
  const taken = new Map<string, number>();
  let requests = 0;
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      requests += 1;
      const choice = random.below(300);
      if (choice < 1) return;
      if (choice < 20) request.socket.destroy();
      else if (choice < 50) response.writeHead(500).end();
      else if (choice < 75) response.writeHead(429, { 'retry-after': '1' }).end();
      else if (choice < 100) response.writeHead(302, { location: '/elsewhere' }).end();
      else {
        const id = String(request.headers['webhook-id']);
        taken.set(id, (taken.get(id) ?? 0) + 1);
        response.writeHead(200).end();
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    taken,
    requests: () => requests,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Records responses. If an acknowledgement is lost, the response is recorded again, so there may be more events than EVENTS but not fewer. */
async function respond(store: Store, survey: string): Promise<void> {
  for (let number = 0; number < EVENTS; ) {
    const recorded = await store.submitResponse(survey, { score: number % 11 }, undefined).catch(() => undefined);
    if (recorded?.outcome === 'recorded') number += 1;
    else await delay(100);
    if (number % 100 === 0) await delay(500);
  }
}

/** Runs transactions that write an event and stay open for a while; a fifth of them roll back. The reader rolls back some of its reads too. */
async function interleave(url: string, sql: Sql, store: Store, workspace: string) {
  const random = createRandom(100);
  const surveys: string[] = [];
  for (let number = 0; number < COMMITTERS; number += 1)
    surveys.push(await store.upsertSurvey({ workspaceId: workspace, title: 'Chaos', state: 'draft' }));
  await sql`create table public.seen (position bigint, survey_id text not null)`;
  const committed = new Set<string>();
  let isCommitting = true;
  const connections = Array.from({ length: CONNECTIONS }, () =>
    openDatabase(url, { applicationName: 'chaos committer', transactions: true }),
  );
  const committing = Promise.all(
    connections.map(async (connection) => {
      for (let survey = surveys.pop(); survey !== undefined; survey = surveys.pop()) {
        await connection`begin`;
        await connection`update invite.surveys set state = 'active' where id = ${survey}`;
        await delay(random.below(100));
        const isKept = random.below(5) > 0;
        await connection.unsafe(isKept ? 'commit' : 'rollback');
        if (isKept) committed.add(survey);
      }
    }),
  ).finally(() => {
    isCommitting = false;
  });

  const reader = openDatabase(url, { applicationName: 'chaos reader', transactions: true });
  let quiet = 0;
  // Reading ends when no event has arrived for two seconds after the last commit, while a worker publishes.
  for (let round = 0; quiet < 20; round += 1) {
    await reader`begin`;
    const read = await reader<{ position: string; survey_id: string }[]>`
      select position, survey_id from invite.read_events('chaos', '{survey.activated}', 50)`;
    for (const { position, survey_id } of read) await reader`insert into public.seen values (${position}, ${survey_id})`;
    await reader.unsafe(round % 4 === 3 ? 'rollback' : 'commit');
    quiet = isCommitting || read.length > 0 ? 0 : quiet + 1;
    if (read.length === 0) await delay(100);
  }
  await committing;
  for (const connection of [...connections, reader]) await connection.end({ timeout: 1 });
  const seen = (await sql<{ survey_id: string }[]>`select survey_id from public.seen`).map(({ survey_id }) => survey_id);
  const all = new Set(seen);
  return { skipped: [...committed].filter((survey) => !all.has(survey)).length, twice: seen.length - all.size };
}
