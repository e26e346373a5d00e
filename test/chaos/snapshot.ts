// CHAOS=snapshot: the service accepts and sends, with events, beside a transaction that holds an xid and readers that hold snapshots. So
// vacuum can remove no dead row. There are 300 requests a second over 24 tokens, then 50 over one token, for CHAOS_MINUTES each. The last
// minute may be at most three times as slow as the first.
import { setTimeout as delay } from 'node:timers/promises';
import { openDatabase, type Sql } from '../../src/database/pool.ts';
import {
  createTrigger,
  drained,
  end,
  freePort,
  NO_LIMITS,
  openChaos,
  postTrigger,
  relaySettings,
  startProgram,
} from './harness.ts';
import { startRelay } from './relay.ts';

const MINUTES = Number(process.env.CHAOS_MINUTES ?? 10);
const READER_SECONDS = 120;
const READER_EVERY_SECONDS = 30;
const MAX_RATIO = 3;
/** Times below this count as equal, because a busy machine alone can triple them. In milliseconds. */
const FLOOR_MS = 25;

export const snapshot = async (): Promise<number> => (await steady(24, 300)) + (await steady(1, 50));

async function steady(tokens: number, perSecond: number): Promise<number> {
  const { sql, store, url, close } = await openChaos('chaos_snapshot', 'off');
  const claims = await measureClaims(url);
  const minutes = new Minutes();
  const sentAt = new Map<string, number>();
  const relay = await startRelay({
    delayMs: 1,
    onEmail(address) {
      const at = sentAt.get(address);
      if (at === undefined) return;
      sentAt.delete(address);
      minutes.add('lateness', at, performance.now() - at);
    },
  });
  const port = await freePort();
  const env = { DATABASE_URL: url, ...relaySettings(relay.url), PORT: port };
  const programs = [await startProgram('serve', { ...env, ...NO_LIMITS }), await startProgram('work', env)];
  const secrets: string[] = [];
  for (let token = 0; token < tokens; token += 1) {
    const { workspace, secret } = await createTrigger(store);
    await store.setWorkspaceEvents(workspace, true);
    secrets.push(secret);
  }

  const readers = holdSnapshots(url);
  const answers = new Map<number, number>();
  const pending = new Set<Promise<void>>();
  let backlog = 0;
  const post = async (number: number) => {
    const email = `person${number}@example.com`;
    const at = performance.now();
    sentAt.set(email, at);
    const [status] = await postTrigger(port, secrets[number % tokens] ?? '', { email });
    answers.set(status, (answers.get(status) ?? 0) + 1);
    if (status === 200) minutes.add('accept', at, performance.now() - at);
    else sentAt.delete(email);
  };
  const startedAt = performance.now();
  minutes.begin(startedAt);
  const total = MINUTES * 60 * perSecond;
  for (let number = 0; number < total; ) {
    const due = Math.min(total, Math.floor(((performance.now() - startedAt) * perSecond) / 1000));
    for (; number < due; number += 1) {
      const posted = post(number);
      pending.add(posted);
      void posted.then(() => pending.delete(posted));
    }
    // The first ten seconds warm up and aren't counted.
    if (performance.now() - startedAt > 10_000) backlog = Math.max(backlog, sentAt.size);
    await delay(10);
  }
  await Promise.all(pending);
  const left = sentAt.size;
  const settled = await drained(sql, 60_000);
  await readers.stop();
  minutes.addAll('claim', await claims());
  const refused = total - (answers.get(200) ?? 0);
  const lost = (answers.get(200) ?? 0) - relay.emails();
  const count = async (from: string) => (await sql.unsafe(`select count(*)::integer as rows from ${from}`))[0]?.rows as number;
  for (let look = 0; look < 40 && (await count('invite.new_events')) > 0; look += 1) await delay(250);
  const missing = Math.abs(relay.emails() - (await count("invite.events where type = 'invitation.sent'")));
  const found = ['accept', 'claim', 'lateness'].map((what) => minutes.compare(what, MINUTES));
  console.log(
    `${perSecond} requests/s over ${tokens} ${tokens === 1 ? 'token' : 'tokens'} for ${MINUTES} minutes beside an idle transaction and ` +
      `overlapping readers: ${refused} refused, ${lost} lost, ${missing} without an event, at most ${backlog} on their way (${left} at the end)\n` +
      `${found.map(({ text }) => `  ${text}`).join('\n')}${settled ? '' : '\n  NOT SETTLED'}`,
  );
  for (const program of programs) await end(program, 'SIGTERM');
  relay.close();
  await close();
  const slow = found.filter(({ ratio }) => ratio > MAX_RATIO).length;
  return refused + lost + missing + slow + (left > perSecond ? 1 : 0) + (settled ? 0 : 1);
}

/** Collects times in milliseconds, by kind and minute. */
class Minutes {
  readonly #times = new Map<string, number[]>();
  #startedAt = 0;

  begin(at: number): void {
    this.#startedAt = at;
  }

  add(what: string, at: number, ms: number): void {
    this.#push(what, Math.floor((at - this.#startedAt) / 60_000), ms);
  }

  addAll(what: string, rows: readonly { minute: number; ms: number }[]): void {
    for (const { minute, ms } of rows) this.#push(what, minute, ms);
  }

  compare(what: string, minutes: number): { text: string; ratio: number } {
    const p99 = (minute: number) => {
      const sorted = (this.#times.get(`${what} ${minute}`) ?? []).sort((a, b) => a - b);
      return sorted[Math.floor(sorted.length * 0.99)] ?? Infinity;
    };
    const all = Array.from({ length: minutes }, (_, minute) => p99(minute));
    const ratio = (all.at(-1) ?? Infinity) / Math.max(all[0] ?? 0, FLOOR_MS);
    return { text: `${what}: p99 by minute ${all.map((ms) => ms.toFixed(0)).join(', ')} ms: ${ratio.toFixed(2)} ×`, ratio };
  }

  #push(what: string, minute: number, ms: number): void {
    const key = `${what} ${minute}`;
    const times = this.#times.get(key) ?? [];
    times.push(ms);
    this.#times.set(key, times);
  }
}

/** Measures each claim, in this database only. Returns a function that reads the times by minute. */
async function measureClaims(url: string) {
  const sql = openDatabase(url, { applicationName: 'chaos clock' });
  const [claim] = await sql`
    select
      pg_get_function_arguments(p.oid) as arguments,
      pg_get_function_identity_arguments(p.oid) as identity,
      (
        select string_agg('claim_invitations.' || n.name, ', ' order by n.place)
        from unnest(p.proargnames) with ordinality as n (name, place) where n.place <= p.pronargs
      ) as names
    from pg_proc as p where p.oid = 'invite.claim_invitations'::regproc`;
  await sql.unsafe(`
    create schema chaos;
    create unlogged table chaos.claims (at timestamptz not null, ms double precision not null);
    alter function invite.claim_invitations(${claim?.identity}) set schema chaos;
    create function invite.claim_invitations(${claim?.arguments}) returns setof invite.claimed_invitation language plpgsql as $$
    declare
      v_from constant timestamptz := clock_timestamp();
    begin
      return query select * from chaos.claim_invitations(${claim?.names});
      insert into chaos.claims values (v_from, extract(epoch from clock_timestamp() - v_from) * 1000);
    end $$`);
  return async () => {
    const rows = await sql<{ minute: number; ms: number }[]>`
      select floor(extract(epoch from at - min(at) over ()) / 60)::integer as minute, ms from chaos.claims`;
    await sql.end({ timeout: 1 });
    return rows;
  };
}

/** Opens an idle transaction that has written, and readers that overlap. */
function holdSnapshots(url: string) {
  const stopping = new AbortController();
  const hold = async (statement: string, seconds: number) => {
    const sql: Sql = openDatabase(url, { applicationName: 'chaos reader', transactions: true });
    await sql.unsafe(`set idle_in_transaction_session_timeout = 0; ${statement}`).simple();
    await delay(seconds * 1000, undefined, { signal: stopping.signal }).catch(() => {});
    await sql.end({ timeout: 1 });
  };
  const held = [hold('begin; select txid_current()', 86_400)];
  const timer = setInterval(() => {
    held.push(hold('begin isolation level repeatable read; select count(*) from invite.plans', READER_SECONDS));
  }, READER_EVERY_SECONDS * 1000);
  return {
    async stop() {
      clearInterval(timer);
      stopping.abort();
      await Promise.all(held);
    },
  };
}
