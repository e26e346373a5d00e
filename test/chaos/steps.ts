// The steps of CHAOS=activation. Each moves the invitations of a survey in some way, at random.
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Sql } from '../../src/database/pool.ts';
import { type ClaimedInvitation, createStore, type Settlement, type Store } from '../../src/database/store.ts';
import { acceptTrigger } from '../fixtures/trigger.ts';
import type { Random } from './random.ts';

/** The rows that a round works on. */
export interface Subject {
  readonly sql: Sql;
  readonly plan: string;
  readonly workspace: string;
  readonly survey: string;
  readonly hash: Buffer;
  /** Workers that the steps have registered. Some hold claims. */
  readonly workers: string[];
  readonly batches: string[];
}

export type Steps = ReturnType<typeof createSteps>;

/** Returns the steps that one connection can take. Each is a transaction that stays open for a moment, as on a slow disk. */
export function createSteps(subject: Subject, random: Random) {
  const { plan, workspace, survey, hash, workers, batches } = subject;

  const run = <T>(call: (store: Store, sql: Sql) => PromiseLike<T>, holdMs = 10): Promise<T> =>
    subject.sql.begin(async (transaction) => {
      const sql = transaction as unknown as Sql;
      const result = await call(createStore(sql), sql);
      await delay(random.below(holdMs));
      return result;
    }) as Promise<T>;

  /** Claims as a new worker, which is then lost. */
  async function claim(before: () => Promise<unknown> = async () => {}, holdMs = 10) {
    const id = randomUUID();
    await run((store) => store.recordHeartbeat(id, null, 'chaos', 1));
    workers.push(id);
    await before();
    const rows = await subject.sql<{ id: string }[]>`
      select i.id from invite.batches as b join invite.invitations as i on i.batch_id = b.id where b.survey_id = ${survey}`;
    const ids = rows.map((row) => Number(row.id));
    return { id, claimed: await run((store) => store.claimInvitations(ids, id), holdMs) };
  }

  const settle = (claimed: readonly ClaimedInvitation[], outcome: Settlement['outcome']) =>
    run((store) =>
      store.settleInvitations(claimed.map(({ id, claimId }) => ({ id, claim_id: claimId, outcome, code: 'chaos' }))),
    );

  async function accept() {
    const recipients = Array.from({ length: 1 + random.below(5) }, () => ({ email: `${randomUUID()}@example.com` }));
    const request = { recipients, reminders: random.below(2) === 0 ? [] : [1, 2] };
    const answer = await run((store) => acceptTrigger(store, hash, request, 100_000_000));
    if (answer.outcome === 'accepted') batches.push(answer.batchId);
  }

  return {
    accept,
    /** The claim stays open long enough for the jobs of an activation to run before it commits. */
    acceptAndClaim: () => claim(accept, 300),
    activate: () => run((store) => store.setSurveyState(survey, 'active')),
    close: () => run((store) => store.setSurveyState(survey, random.pick(['closed', 'draft']))),
    suspend: () => run((store) => store.setWorkspaceSuspended(workspace, true)),
    resume: () => run((store) => store.setWorkspaceSuspended(workspace, false)),
    changePlan: () => run((store) => store.upsertWorkspace({ id: workspace, plan: random.pick(['free', 'pro', plan]) })),
    changeFeature: () => run((_, sql) => sql`update invite.plans set api_trigger = ${random.below(2) === 0} where id = ${plan}`),
    async claimAndSettle() {
      const { claimed } = await claim();
      await settle(claimed, random.pick(['accepted', 'retry', 'unknown', 'released', 'config']));
    },
    claimAndVanish: () => claim(),
    async claimAndBeRecovered() {
      const { id, claimed } = await claim();
      await run((store) =>
        random.below(2) === 0
          ? store.recoverWorkers(0, id)
          : store.heldClaims(id).then((claims) => store.recoverClaims(id, claims)),
      );
      await settle(claimed, 'accepted');
    },
    cancel: () =>
      run((store) =>
        random.below(3) === 0 || batches.length === 0 ? store.cancelSurvey(survey) : store.cancelBatch(random.pick(batches)),
      ),
    async respond() {
      const [row] = await subject.sql`
        select invite.link_token(i) as link_token
        from invite.batches as b join invite.invitations as i on i.batch_id = b.id
        where b.survey_id = ${survey} order by random() limit 1`;
      if (row !== undefined) await run((store) => store.submitResponse(survey, { score: 9 }, row.link_token));
    },
    requeueWaiting: () => run((store) => store.requeueWaiting(survey)),
    requeueWorkspace: () => run((store) => store.requeueWorkspace(workspace)),
    /** Moves everything that is due later to now, including reminders, so that the sweep finds it. */
    async sweep() {
      await run(
        (_, sql) => sql`
          with later as materialized (
            select invitation_id, number from invite.messages where survey_id = ${survey} and status = 'queued'
            order by invitation_id, number for no key update
          )
          update invite.messages as m set not_before = now(), sweep_at = now()
          from later as l where m.invitation_id = l.invitation_id and m.number = l.number`,
      );
      await run((store) => store.sweepInvitations());
    },
  };
}
