// CHAOS=activation: 1,000 rounds. In each round, random steps move the invitations of one survey concurrently, beside two real workers.
// Then the survey is activated and all jobs run. After that, nothing may be stuck.
import { setTimeout as delay } from 'node:timers/promises';
import { openDatabase, type Sql } from '../../src/database/pool.ts';
import { createStore, type Store } from '../../src/database/store.ts';
import { createLog } from '../../src/log.ts';
import type { MessageSender, Outcome } from '../../src/relay/relay.ts';
import { createSecret } from '../../src/secret.ts';
import { startWorker } from '../../src/worker/worker.ts';
import { acceptTrigger } from '../fixtures/trigger.ts';
import { openChaos, retryNow } from './harness.ts';
import { createRandom, type Random } from './random.ts';
import { createSteps, type Steps, type Subject } from './steps.ts';

const ROUNDS = Number(process.env.ROUNDS ?? 1000);
/** The number of rounds between two checks of the rows. */
const WAVE = 500;
const ROUNDS_AT_ONCE = 24;
const ACTORS = 4;
const STEPS = 8;
const STUCK_AFTER_MS = 15_000;
const SETTLED_WITHIN_MS = 60_000;

export async function activation(): Promise<number> {
  const { sql: looker, url, close } = await openChaos('chaos_activation');
  const sql = openDatabase(url, { max: 40, applicationName: 'chaos', transactions: true });
  const store = createStore(sql);
  const workers = [startRandomWorker(url, -1), startRandomWorker(url, -2)];
  const errors = new Map<string, number>();
  let steps = 0;
  let stuck = 0;
  for (let wave = 0; wave < ROUNDS; wave += WAVE) {
    let round = wave;
    const lane = async () => {
      while (round < Math.min(wave + WAVE, ROUNDS)) {
        const number = round++;
        const subject = await createSubject(sql, store, number);
        await Promise.all(
          Array.from({ length: ACTORS }, async (_, actor) => {
            const random = createRandom(number * ACTORS + actor);
            const choices = createSteps(subject, random);
            for (let step = 0; step < STEPS; step += 1) {
              const [name, run] = random.pick(Object.entries(choices));
              steps += 1;
              await run().catch((error: Error & { code?: string }) => {
                const what = `${name}: ${error.code ?? error.message}`;
                errors.set(what, (errors.get(what) ?? 0) + 1);
              });
            }
          }),
        );
        const random = createRandom(-3 - number);
        await activate(store, subject, createSteps(subject, random), random);
      }
    };
    await Promise.all(Array.from({ length: ROUNDS_AT_ONCE }, lane));
    const found = await stuckMessages(looker);
    stuck += found.length;
    for (const row of found.slice(0, 5)) console.log('STUCK', JSON.stringify(row));
  }
  const settled = await retryNow(looker, SETTLED_WITHIN_MS);
  const [row] = await looker`select count(*)::integer as invitations from invite.invitations`;
  console.log(
    `${ROUNDS} rounds of ${ACTORS} connections with ${STEPS} random steps each (${steps} steps, ${row?.invitations} invitations), beside two workers: ` +
      `${stuck} stuck, ${settled ? 'all settled' : 'NOT SETTLED'}, ${errors.size === 0 ? 'no error' : `ERRORS ${JSON.stringify(Object.fromEntries(errors))}`}`,
  );
  for (const worker of workers) await worker.stop();
  await sql.end();
  await close();
  return stuck + errors.size + (settled ? 0 : 1);
}

/** Creates a draft survey with its own workspace and plan, and five invitations that are due. */
async function createSubject(sql: Sql, store: Store, round: number): Promise<Subject> {
  const plan = `plan-${round}`;
  await sql`insert into invite.plans (id, api_trigger) values (${plan}, true)`;
  const workspace = await store.upsertWorkspace({ id: `w${round}`, name: 'Chaos', plan });
  const survey = await store.upsertSurvey({ workspaceId: workspace, id: `s${round}`, title: 'Chaos', state: 'draft' });
  const { hash, hint } = createSecret('home0001');
  await store.createTriggerToken({ surveyId: survey, name: 'chaos', secretHash: hash, secretHint: hint, cooldownSeconds: 0 });
  const recipients = Array.from({ length: 5 }, (_, index) => ({ email: `person${index}@example.com` }));
  const answer = await acceptTrigger(store, hash, { recipients, reminders: [1] }, 100_000_000);
  if (answer.outcome !== 'accepted') throw new Error(`the request was rejected: ${answer.outcome}`);
  return { sql, plan, workspace, survey, hash, workers: [], batches: [answer.batchId] };
}

/** Ends a round: activates the survey while a last request is being claimed, and takes back what lost workers hold. */
async function activate(store: Store, subject: Subject, steps: Steps, random: Random): Promise<void> {
  const { plan, workspace, survey, workers, sql } = subject;
  await store.setSurveyState(survey, 'closed');
  await sql`update invite.plans set api_trigger = true where id = ${plan}`;
  await store.upsertWorkspace({ id: workspace, plan });
  await store.setWorkspaceSuspended(workspace, false);
  const accepted = steps.acceptAndClaim();
  await delay(random.below(80));
  await Promise.all([accepted, store.setSurveyState(survey, 'active')]);
  for (const worker of workers) await store.recoverWorkers(0, worker);
}

/** Waits until nothing is stuck. What is stuck at the deadline would stay stuck until the hourly sweep. */
async function stuckMessages(sql: Sql) {
  for (const deadline = Date.now() + STUCK_AFTER_MS; ; await delay(100)) {
    const stuck = await findStuck(sql);
    if (stuck.length === 0 || Date.now() > deadline) return stuck;
  }
}

/**
 * Finds stuck messages: waiting although the survey is active, `sending` without a worker, or queued without a job. A reminder gets its job
 * only when it is due.
 */
const findStuck = (sql: Sql) => sql`
  with wanted as materialized (
    select l.id::bigint as id
    from graphile_worker._private_jobs as j
    cross join lateral json_array_elements_text(j.payload -> 'invitation_ids') as l (id)
  )
  select m.invitation_id, m.number, m.survey_id, m.status, m.not_before, m.last_error_code
  from invite.messages as m
  where m.status in ('waiting', 'sending')
    or m.status = 'queued'
      and (m.number = 0 or m.not_before <= now())
      and m.invitation_id not in (select w.id from wanted as w)`;

/** Starts a real worker whose relay responds after a short random time. */
function startRandomWorker(url: string, name: number) {
  const random = createRandom(name);
  const sender: MessageSender = {
    maxBatch: 1,
    async send() {
      await delay(random.below(5));
      return [outcomeOf(random)];
    },
    close: async () => {},
  };
  return startWorker({
    databaseUrl: url,
    databasePool: 4,
    concurrency: 4,
    delivery: {
      sender,
      render: { publicUrl: 'https://surveys.example.com', from: { name: 'Chaos', email: 'chaos@example.com' } },
      concurrency: 10,
    },
    log: createLog(process.env.LOG_LEVEL ?? 'silent'),
  });
}

const outcomeOf = (random: Random): Outcome =>
  random.below(2) === 0
    ? { kind: 'accepted' }
    : { kind: random.pick(['retry', 'unknown', 'config', 'rejected', 'suppressed'] as const), code: 'chaos', detail: 'Chaos.' };
