// CHAOS=tests: a tenant fills five test workspaces and moves their clocks without a pause. Beside it, single invitations of a real workspace
// must leave as they do without it, and nothing of the tests may reach the relay.
import { setTimeout as delay } from 'node:timers/promises';
import { createSecret } from '../../src/secret.ts';
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
  summary,
} from './harness.ts';
import { startRelay } from './relay.ts';

const WORKSPACES = 5;
const RECIPIENTS = 9_000;
const SINGLES = 80;
const EVERY_MS = 250;
const WITHIN_MS = 3_000;

export async function tests(): Promise<number> {
  const { sql, store, url, close } = await openChaos('chaos_tests');
  const arrived = new Map<string, number>();
  const relay = await startRelay({ delayMs: 40, onEmail: (address) => arrived.set(address, performance.now()) });
  const port = await freePort();
  const env = { DATABASE_URL: url, ...relaySettings(relay.url), PORT: port };
  const programs = [await startProgram('serve', { ...env, ...NO_LIMITS }), await startProgram('work', env)];
  const [quiet, hard] = [await createTrigger(store), await createTrigger(store)];

  /** Milliseconds from the request of each single invitation until the relay has it. */
  const singles = async (name: string): Promise<number[]> => {
    const asked = new Map<string, number>();
    const requests: Promise<unknown>[] = [];
    for (let index = 0; index < SINGLES; index += 1) {
      const address = `${name}${index}@example.com`;
      asked.set(address, performance.now());
      requests.push(postTrigger(port, quiet.secret, { email: address }));
      await delay(EVERY_MS);
    }
    await Promise.all(requests);
    await drained(sql, 30_000);
    return [...asked].map(([address, at]) => (arrived.get(address) ?? Infinity) - at);
  };

  const secrets: string[] = [];
  for (let index = 0; index < WORKSPACES; index += 1) {
    const workspace = await store.createTestWorkspace(hard.workspace, undefined);
    const [survey] = await sql<{ id: string }[]>`select id from invite.surveys where workspace_id = ${workspace}`;
    const { secret, hash, hint } = createSecret(await store.homeOf(workspace), true);
    await store.createTriggerToken({
      ...{ surveyId: survey?.id ?? '', name: 'Test', secretHash: hash, secretHint: hint },
      cooldownSeconds: 0,
    });
    secrets.push(secret);
  }
  const alone = await singles('alone');

  let going = true;
  const advance = async (secret: string) => {
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/test/advance`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}` },
      body: JSON.stringify({ by: 'PT6H' }),
    });
    await response.arrayBuffer();
  };
  const kinds = ['person', 'responds-9', 'bounces', 'complains', 'unsubscribes', 'scanner'];
  const use = async (secret: string) => {
    for (let sent = 0; sent < RECIPIENTS; sent += 1000) {
      const emails = Array.from({ length: 1000 }, (_, index) => `${kinds[index % kinds.length]}+${sent + index}@sim.invalid`);
      await postTrigger(port, secret, { emails, reminders: [1, 2, 3, 4, 5] });
    }
    while (going) await Promise.all([advance(secret), advance(secret)]);
  };
  const using = Promise.all(secrets.map(use));
  const beside = await singles('beside');
  going = false;
  await using;
  const [row] = await sql<{ emails: number; asked: number; ended: number }[]>`
    select
      (select count(*)::integer from invite.test_emails) as emails, count(*)::integer as asked, count(ended_at)::integer as ended
    from invite.test_advances`;

  const leaked = [...arrived.keys()].filter((address) => address.endsWith('@sim.invalid')).length;
  const late = beside.filter((ms) => ms > WITHIN_MS).length;
  console.log(
    `beside ${row?.asked} advances (${row?.ended} have ended) of ${WORKSPACES} test workspaces with ${row?.emails} emails in their outboxes: ${SINGLES} single invitations ` +
      `left after ${summary(beside)}, without them after ${summary(alone)}; ${late} later than ${WITHIN_MS} ms, ${leaked} of the tests reached the relay`,
  );
  for (const program of programs) await end(program, 'SIGTERM');
  relay.close();
  await close();
  return late + leaked;
}
