// CHAOS=crash, terminate and cut, each repeatedly and under load: PostgreSQL crashes, its connections are terminated, or a proxy breaks
// them in the middle of a response. Every request that got a 200 must be emailed within 90 seconds of the last fault.
import { setTimeout as delay } from 'node:timers/promises';
import { openDatabase } from '../../src/database/pool.ts';
import { startProxy } from '../fixtures/proxy.ts';
import {
  type Chaos,
  crashPostgres,
  createTrigger,
  drained,
  emailedBatches,
  freePort,
  NO_LIMITS,
  openChaos,
  postTrigger,
  relaySettings,
  supervise,
} from './harness.ts';
import { createRandom, type Random } from './random.ts';
import { startRelay } from './relay.ts';

const CRASHES = Number(process.env.CRASHES ?? 10);
/** The number of times that connections are terminated or broken. There are more of these than crashes, because connections recover at once. */
const BREAKS = Number(process.env.BREAKS ?? 40);
const SETTLED_WITHIN_MS = 90_000;

interface Fault {
  readonly title: string;
  /** Returns the database address for the program, and the function that causes the faults. */
  prepare(chaos: Chaos, random: Random): Promise<{ url: string; run(): Promise<void>; close(): Promise<void> }>;
}

const CRASH: Fault = {
  title: `pg_ctl stop -m immediate, ${CRASHES} times`,
  prepare: async ({ url }) => ({
    url,
    async run() {
      for (let round = 0; round < CRASHES; round += 1) {
        await delay(1500);
        await crashPostgres();
      }
    },
    close: async () => {},
  }),
};

const TERMINATE: Fault = {
  title: `pg_terminate_backend on half of the connections, ${BREAKS} times`,
  async prepare({ url }, random) {
    const admin = openDatabase(url, { applicationName: 'chaos admin' });
    return {
      url,
      async run() {
        for (let round = 0; round < BREAKS; round += 1) {
          await delay(random.below(600));
          await admin`
            select pg_terminate_backend(pid) from pg_stat_activity
            where datname = current_database() and application_name not like 'chaos%' and random() < 0.5`;
        }
      },
      close: () => admin.end({ timeout: 1 }),
    };
  },
};

const CUT: Fault = {
  title: `a proxy that breaks connections in the middle of an answer, ${BREAKS} times`,
  async prepare({ url }, random) {
    const proxy = await startProxy(url);
    return {
      url: proxy.url,
      async run() {
        for (let round = 0; round < BREAKS; round += 1) {
          await delay(random.below(600));
          // PostgreSQL handles every request of this moment, but each response is lost.
          proxy.damageAll('', 'cut');
          await delay(random.below(100));
          proxy.heal();
        }
      },
      close: proxy.close,
    };
  },
};

/** @param run Odd runs use one process for everything, as `start` does. */
const breaking = (fault: Fault) => async (run: number) => {
  const chaos = await openChaos('chaos_crash');
  const relay = await startRelay({ delayMs: 1 });
  const { secret } = await createTrigger(chaos.store);
  const { url, run: runFaults, close } = await fault.prepare(chaos, createRandom(run));
  const port = await freePort();
  const env = { DATABASE_URL: url, ...relaySettings(relay.url), ...NO_LIMITS, PORT: port };
  const commands = run % 2 === 0 ? ['serve', 'work'] : ['start'];
  const programs = await Promise.all(commands.map((command) => supervise(command, env)));
  const clients = startClients(port, secret);
  await runFaults();
  await delay(1500);
  const { accepted, answers } = await clients.stop();
  const brokenUntil = Date.now();
  const settled = await drained(chaos.sql, SETTLED_WITHIN_MS);
  const seconds = Math.round((Date.now() - brokenUntil) / 1000);
  const emailed = await emailedBatches(chaos.sql);
  const missing = [...accepted].filter((batch) => !emailed.has(batch)).length;
  const restarts = programs.reduce((sum, program) => sum + program.restarts(), 0);
  const stopped = await Promise.all(programs.map((program) => program.stop()));
  console.log(
    `${fault.title} under load, ${commands.join(' + ')}: ${accepted.size} responses of 200 (all: ${JSON.stringify(Object.fromEntries(answers))}), ` +
      `${missing} of them lost, ${relay.repeated()} sent to the relay twice, ${relay.doubled()} delivered twice, ${restarts} restarts; ` +
      `${settled ? `all settled after ${seconds} s` : 'NOT SETTLED'}${stopped.every(Boolean) ? '' : ', AND SIGTERM DID NOT END IT'}`,
  );
  await close();
  relay.close();
  await chaos.close();
  return missing + relay.doubled() + (settled ? 0 : 1) + stopped.filter((ended) => !ended).length;
};

export const crash = breaking(CRASH);
export const terminate = breaking(TERMINATE);
export const cut = breaking(CUT);

/** Starts four clients. Each sends its next request after the last response. */
export function startClients(port: string, secret: string) {
  const accepted = new Set<string>();
  const answers = new Map<number, number>();
  let going = true;
  const client = async (_: unknown, index: number) => {
    while (going) {
      const [status, batch] = await postTrigger(port, secret, { email: `client${index}@example.com` });
      answers.set(status, (answers.get(status) ?? 0) + 1);
      if (batch !== undefined) accepted.add(batch);
      await delay(status === 200 ? 5 : 50);
    }
  };
  const clients = Promise.all(Array.from({ length: 4 }, client));
  return {
    async stop() {
      going = false;
      await clients;
      return { accepted, answers };
    },
  };
}
