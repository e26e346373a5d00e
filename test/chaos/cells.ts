// CHAOS=cells: three cells behind a router, 300 requests a second over all. One cell is killed: the others refuse and lose nothing, and their p99 is at
// most 1.5 times that of a run without the kill (median of five). It comes back, and all that was accepted is sent. Then a workspace with 100,000
// invitations moves to another cell and back while it gets requests: nothing is lost or sent twice. Without PL/Proxy it does nothing.
import { Agent, request } from 'node:http';
import { loadavg } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { withCells } from '../../src/cells/addresses.ts';
import { moveWorkspace } from '../../src/cells/move.ts';
import { withRouter } from '../../src/cells/router.ts';
import { missingPlproxy } from '../fixtures/router.ts';
import { acceptTrigger } from '../fixtures/trigger.ts';
import { type ChaosCell, openCells } from './cells-setup.ts';
import { drained, summary } from './harness.ts';
import { startRelay } from './relay.ts';

const ROUNDS = Number(process.env.CHAOS_ROUNDS ?? 5);
/** CHAOS_PER_SECOND: fewer, where the machine has other work. */
const PER_SECOND = Number(process.env.CHAOS_PER_SECOND ?? 300);
const SECONDS = 10;
/** Milliseconds of a round at which the cell is killed and started again. */
const KILLED_AT = 2_000;
const STARTED_AT = 6_000;
const MOVED = Number(process.env.CHAOS_MOVED ?? 100_000);
const MOVED_PER_SECOND = PER_SECOND / 10;
const SENT_WITHIN_MS = 120_000;
const MOST_RATIO = 1.5;

interface Answer {
  readonly cell: string;
  readonly status: number;
  readonly ms: number;
}

const agent = new Agent({ keepAlive: true });

/**
 * Sends a request whose repetition is the same request. fetch would need a processor of its own for so many. status 0: there was no response.
 * retryAfter: in seconds.
 */
const post = (port: string, secret: string, email: string): Promise<{ status: number; retryAfter: number }> =>
  new Promise((resolve) => {
    const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json', 'idempotency-key': email };
    const address = { host: '127.0.0.1', port, path: '/api/invitation-trigger' };
    request({ ...address, method: 'POST', agent, headers }, (response) => {
      const retryAfter = Number(response.headers['retry-after'] ?? 1);
      response.resume().once('close', () => resolve({ status: response.complete ? (response.statusCode ?? 0) : 0, retryAfter }));
    })
      .once('error', () => resolve({ status: 0, retryAfter: 1 }))
      .end(JSON.stringify({ email }));
  });

export async function cells(): Promise<number> {
  if (missingPlproxy !== false) {
    console.log(`cells: skipped, ${missingPlproxy}`);
    return 0;
  }
  const arrived = new Map<string, number>();
  const relay = await startRelay({ delayMs: 5, onEmail: (address) => arrived.set(address, (arrived.get(address) ?? 0) + 1) });
  const opened = await openCells(relay.url);
  if (opened === undefined) return 0;
  const { cells, port, routerUrl, close } = opened;
  const accepted = new Set<string>();

  /** Requests at a steady rate, each with a recipient of its own. They don't wait for each other. */
  async function load(name: string, during: () => Promise<void>): Promise<Answer[]> {
    const answers: Promise<Answer>[] = [];
    const began = performance.now();
    const disturbed = during();
    for (let index = 0; index < PER_SECOND * SECONDS; index += 1) {
      const cell = cells[index % cells.length] as ChaosCell;
      const email = `${name}-${index}@example.com`;
      const wait = began + (index * 1000) / PER_SECOND - performance.now();
      if (wait > 1) await delay(wait);
      const at = performance.now();
      answers.push(
        post(port, cell.secret, email).then(({ status }) => {
          if (status === 200) accepted.add(email);
          return { cell: cell.home, status, ms: performance.now() - at };
        }),
      );
    }
    await disturbed;
    return Promise.all(answers);
  }
  const p99 = (answers: readonly Answer[]) => {
    const times = answers.map(({ ms }) => ms).sort((a, b) => a - b);
    return times[Math.floor(times.length * 0.99)] ?? 0;
  };
  const lostOf = (emails: Iterable<string>) => [...emails].filter((email) => !arrived.has(email)).length;

  const [, , victim] = cells;
  const ratios: number[] = [];
  let refused = 0;
  const others = new Set<number>();
  await load('warm', async () => {});
  for (let round = 0; round < ROUNDS; round += 1) {
    const control = (await load(`control${round}`, async () => {})).filter(({ cell }) => cell !== victim.home);
    const all = await load(`kill${round}`, async () => {
      await delay(KILLED_AT);
      await victim.kill();
      await delay(STARTED_AT - KILLED_AT);
      await victim.start();
    });
    const beside = all.filter(({ cell }) => cell !== victim.home);
    const own = all.filter(({ cell }) => cell === victim.home);
    const failed = [...control, ...beside].filter(({ status }) => status !== 200);
    refused += failed.length;
    for (const { status } of failed) others.add(status);
    ratios.push(p99(beside) / p99(control));
    console.log(
      `cells: round ${round + 1}: others ${summary(beside.map(({ ms }) => ms))}, without the kill ${summary(control.map(({ ms }) => ms))}; the killed one accepted ${own.filter(({ status }) => status === 200).length} of ${own.length}, refused the rest with ${[...new Set(own.filter(({ status }) => status !== 200).map(({ status }) => status))]}; load average ${loadavg()[0]?.toFixed(1)}`,
    );
    await drained(victim.sql, SENT_WITHIN_MS);
  }
  for (const { sql } of cells) await drained(sql, SENT_WITHIN_MS);
  const ratio = ratios.toSorted((a, b) => a - b)[Math.floor(ratios.length / 2)] ?? 0;
  const lost = lostOf(accepted);
  console.log(
    `cells: one killed: of ${accepted.size} accepted ${lost} lost, ${relay.doubled()} delivered twice; others refused ${refused} (${[...others].join(', ')}); p99 ${ratio.toFixed(2)} times that without the kill (median of ${ROUNDS})`,
  );
  const moved = await move(opened, arrived);
  const doubled = relay.doubled();
  await close();
  relay.close();
  return lost + refused + moved + doubled + (ratio > MOST_RATIO ? 1 : 0);

  /** Moves a large workspace there and back under its own load. Returns what was lost or sent twice. */
  async function move({ cells: [from, to] }: NonNullable<typeof opened>, arrived: ReadonlyMap<string, number>): Promise<number> {
    for (let made = 0; made < MOVED; made += 1000) {
      const recipients = Array.from({ length: 1000 }, (_, index) => ({ email: `moved${made + index}@example.com` }));
      const { outcome } = await acceptTrigger(from.store, from.hash, { recipients, sendInSeconds: 86_400 }, 100_000_000);
      if (outcome !== 'accepted') throw new Error(`the request was rejected: ${outcome}`);
    }
    const sent = new Set<string>();
    const waits: number[] = [];
    const open: Promise<void>[] = [];
    let ended = false;
    /** As a client does that tries again when it is told to: without waiting, those that wait would be thousands of requests a second. */
    const ask = async (email: string) => {
      const began = performance.now();
      for (;;) {
        const { status, retryAfter } = await post(port, from.secret, email);
        if (status === 200) break;
        // 0: no response. 408: this process was too busy to send it in time.
        if (![503, 408, 0].includes(status)) throw new Error(`a request was answered ${status}`);
        await delay(retryAfter * 1000);
      }
      sent.add(email);
      waits.push(performance.now() - began);
    };
    const asking = (async () => {
      for (let index = 0; !ended; index += 1) {
        open.push(ask(`live${index}@example.com`));
        await delay(1000 / MOVED_PER_SECOND);
      }
    })();
    for (const home of [to.home, from.home]) {
      await delay(3_000);
      const before = waits.length;
      const result = await withRouter(routerUrl, (router) =>
        withCells([from.url, to.url], (open) => moveWorkspace(router, open, from.workspace, home)),
      );
      await delay(1_000);
      const rows = Object.values(result.rows).reduce((sum, one) => sum + one, 0);
      console.log(
        `cells: ${result.rows.invitations} invitations (${rows} rows) moved to ${home}: calls refused for ${result.pausedSeconds?.toFixed(1)} s; longest wait of a client ${(Math.max(...waits.slice(before)) / 1000).toFixed(1)} s; load average ${loadavg()[0]?.toFixed(1)}`,
      );
    }
    await delay(3_000);
    ended = true;
    await asking;
    await Promise.all(open);
    const deadline = Date.now() + SENT_WITHIN_MS;
    while (lostOf(sent) > 0 && Date.now() < deadline) await delay(250);
    const [row] = await from.sql`
      select count(*)::integer as scheduled from invite.batches as b
      join invite.invitations as i on i.batch_id = b.id join invite.messages as m on m.invitation_id = i.id
      where b.workspace_id = ${from.workspace} and i.email like 'moved%' and m.status = 'queued'`;
    const lost = lostOf(sent) + MOVED - row?.scheduled;
    // An address is asked for once, unless its response was lost.
    const twice = [...sent].filter((email) => (arrived.get(email) ?? 0) > 1).length;
    console.log(
      `cells: moved under load: of ${sent.size} accepted meanwhile and ${MOVED} scheduled ${lost} lost, ${twice} sent twice`,
    );
    return lost + twice;
  }
}
