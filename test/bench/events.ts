// Measures how much recording and publishing events slows down accepting and delivering, and how many webhook requests a worker makes.

import { createWebhook, SECRET_KEYS } from '../fixtures/webhooks.ts';
import { offer, series } from './accept.ts';
import { type Script, startScript } from './child.ts';
import { delivered, queueEmails } from './emails.ts';
import {
  type Bench,
  createTrigger,
  createTriggers,
  type Database,
  type Relay,
  startLoad,
  startRelay,
  startServer,
  startWorker,
  until,
} from './harness.ts';
import type { Load, LoadResult } from './load.ts';
import { inRounds, type Result, ratios } from './result.ts';

const CLIENTS = 32;
const SECONDS = 3;
const EMAILS = 20_000;
const WARM_UP = 5_000;
const ENDPOINTS = 20;
const RESPONSES = 500;

export async function events(bench: Bench): Promise<Result[]> {
  const load = await startLoad();
  const results = [await accepting(bench, load), await delivering(bench), await sending(bench)];
  await load.end();
  return results;
}

/** Each side gets its own database, so that it doesn't process what the other one has left. */
async function openBoth<T>(bench: Bench, name: string, open: (database: Database) => Promise<T>) {
  const off = await bench.database(`${name}_off`);
  const on = await bench.database(`${name}_on`);
  await on.sql`alter table invite.workspaces alter records_events set default true`;
  return { off: { database: off, ...(await open(off)) }, on: { database: on, ...(await open(on)) } };
}

async function accepting(bench: Bench, load: Script<Load, LoadResult>): Promise<Result> {
  const both = await openBoth(bench, 'events_accept', async (database) => {
    const secrets = (await createTriggers(database, CLIENTS)).map(({ secret }) => secret);
    const publisher = await startScript('publisher.ts', { DATABASE_URL: database.url });
    return { secrets, publisher, server: await startServer(database) };
  });
  const accept = (side: typeof both.off) => async (warmUp: boolean) => {
    const result = await offer(load, side.server, { clients: CLIENTS, secrets: side.secrets, seconds: warmUp ? 1 : SECONDS });
    await published(side.database);
    return result;
  };
  const found = await inRounds({ off: accept(both.off), on: accept(both.on) }, 9);
  for (const { server, publisher } of [both.off, both.on]) for (const process of [server, publisher]) await process.end();
  return {
    part: 'events-accept',
    title: `Accept one recipient, ${CLIENTS} clients, with events`,
    used: `${found.on.length} rounds of ${SECONDS} s; published meanwhile`,
    series: [series('recorded', found.on), series('not recorded', found.off, found.on)],
  };
}

async function delivering(bench: Bench): Promise<Result> {
  const relay = await startRelay();
  const both = await openBoth(bench, 'events_deliver', async (database) => ({
    trigger: await createTrigger(database),
    worker: await startWorker(database, relay),
  }));
  const deliver =
    ({ database, trigger }: typeof both.off) =>
    async (warmUp: boolean) => {
      const emails = warmUp ? WARM_UP : EMAILS;
      const rate = await delivered(database, relay, emails, () => queueEmails(database, trigger, emails, { reminders: [7] }));
      await published(database);
      return rate;
    };
  const found = await inRounds({ off: deliver(both.off), on: deliver(both.on) }, 9);
  for (const process of [both.off.worker, both.on.worker, relay]) await process.end();
  return {
    part: 'events-deliver',
    title: 'Deliver to a relay that responds at once, with events',
    used: `${found.on.length} rounds of ${EMAILS} emails, with reminders; the same worker publishes them`,
    series: [
      { name: 'recorded', unit: 'emails/s', values: found.on },
      { name: 'not recorded', unit: 'emails/s', values: found.off, ratio: ratios(found.on, found.off) },
    ],
  };
}

/** The receiver of the webhooks is a relay that responds at once, because it accepts any request. */
async function sending(bench: Bench): Promise<Result> {
  const database = await bench.database('events_webhooks');
  const { sql, store } = database;
  const receiver = await startRelay();
  const { workspaceId, surveyId } = await createTrigger(database);
  const open = async (count: number) => {
    const ids: string[] = [];
    for (let index = 0; index < count; index += 1) ids.push((await createWebhook(store, workspaceId, receiver.url)).id);
    return ids;
  };
  const worker = await startWorker(database, receiver, { WEBHOOK_ALLOW: '127.0.0.1/32', SECRET_KEYS });
  const rates: Record<string, number[]> = {};
  for (const endpoints of [1, ENDPOINTS]) {
    const ids = await open(endpoints);
    const { one = [] } = await inRounds({ one: (warmUp) => sent(database, surveyId, receiver, ids, warmUp ? 50 : RESPONSES) });
    rates[endpoints] = one;
    await sql`delete from invite.webhook_endpoints`;
  }
  for (const process of [worker, receiver]) await process.end();
  return {
    part: 'events-webhooks',
    title: 'Webhooks to a receiver that responds at once',
    used: `3 rounds of ${RESPONSES} events for each endpoint`,
    series: [
      { name: 'one endpoint, 4 requests at a time', unit: 'requests/s', values: rates[1] ?? [] },
      { name: `${ENDPOINTS} endpoints, 50 requests at a time`, unit: 'requests/s', values: rates[ENDPOINTS] ?? [] },
    ],
  };
}

/** Returns requests per second, from the first request until all are settled. The events are queued while the endpoints are paused. */
async function sent({ sql, store }: Database, survey: string, receiver: Relay, endpoints: readonly string[], events: number) {
  await sql`update invite.webhook_endpoints set paused_at = now()`;
  await sql`select invite.record_response(${survey}, '{}') from generate_series(1, ${events})`;
  const pending = () => sql`select count(*)::integer as rows from invite.webhook_deliveries where status = 'pending'`;
  await until('they are published', async () => (await pending())[0]?.rows === events * endpoints.length);
  await receiver.ask('reset');
  for (const id of endpoints) await store.setWebhookPaused(id, false);
  await until('all have arrived', async () => (await receiver.ask('count')).emails >= events * endpoints.length);
  await until('all are settled', async () => (await pending())[0]?.rows === 0);
  const { first } = await receiver.ask('count');
  return (events * endpoints.length) / ((Date.now() - first) / 1000);
}

const published = ({ sql }: Database) =>
  until('its events are published', async () => (await sql`select from invite.new_events limit 1`).length === 0, 100);
