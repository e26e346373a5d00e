// Claims what is ready and hands it to be sent. A claim is open until all of it is settled.
import { randomUUID } from 'node:crypto';
import { errorCode, isNotReady } from '../database/pool.ts';
import type { ClaimedInvitation, Store, WorkerLimits } from '../database/store.ts';
import type { Log } from '../log.ts';
import { logOutage } from '../outage.ts';
import { logClaim, logNotClaimed } from './delivery-log.ts';
import type { ReadyList, Turn } from './ready-list.ts';
import type { Sends } from './sends.ts';
import { Turns } from './turns.ts';

export interface ClaimContext extends Pick<WorkerLimits, 'relay'> {
  readonly store: Pick<Store, 'claimInvitations' | 'putOffInvitations'>;
  readonly workerId: string;
  readonly ready: ReadyList;
  readonly sends: Sends;
  readonly log: Log;
}

/** Asked for at the same time. */
const MAX_CLAIMS = 4;
/** After a claim that failed. */
const RETRY_MS = 1_000;

export class Claims {
  readonly #context: ClaimContext;
  readonly #turns: Turns;
  readonly #open = new Set<string>();
  readonly #running = new Set<Promise<void>>();
  #asking = 0;

  constructor(context: ClaimContext) {
    this.#context = context;
    this.#turns = new Turns(context.ready, context.relay?.rate, () => this.claimMore());
  }

  /** Asked for and not settled. */
  get open(): string[] {
    return [...this.#open];
  }

  /** Call it when there may be something to claim, or room for it. */
  claimMore(): void {
    while (this.#asking < MAX_CLAIMS) {
      const turn = this.#turns.next();
      if (turn.length === 0) return;
      const done = this.#claimAndSend(turn).finally(() => this.#running.delete(done));
      this.#running.add(done);
    }
  }

  /** Call it after the list is closed. Resolves when all claims are settled; what they couldn't claim is in the list again. */
  async stop(): Promise<void> {
    this.#turns.stop();
    await Promise.all(this.#running);
  }

  async #claimAndSend(turn: Turn): Promise<void> {
    const id = randomUUID();
    // Before asking: the answer may be lost although the claim holds (recover_claims).
    this.#open.add(id);
    this.#asking += 1;
    const claimed = await this.#claim(id, turn);
    this.#asking -= 1;
    const ids = new Set(claimed.map((invitation) => invitation.id));
    for (const [workspace, one] of turn) if (!ids.has(String(one))) this.#turns.release(workspace, 1);

    const workspaces = new Map(turn.map(([workspace, one]) => [String(one), workspace]));
    const sendings = this.#context.sends.add(Map.groupBy(claimed, (invitation) => workspaces.get(invitation.id) ?? ''));
    const settled = sendings.map(({ workspace, invitations, settled }) =>
      // In two steps: what is settled together is released together, before more is claimed.
      settled.promise.finally(() => this.#turns.release(workspace, invitations.length)).finally(() => this.claimMore()),
    );
    this.claimMore();
    for (const result of await Promise.allSettled(settled)) {
      // The next heartbeat finds it: `sending`, but not open here.
      if (result.status === 'rejected') this.#context.log.error({ err: result.reason }, "a result can't be written");
    }
    this.#open.delete(id);
  }

  async #claim(id: string, turn: Turn): Promise<ClaimedInvitation[]> {
    const { store, workerId, ready, log } = this.#context;
    const invitationIds = turn.map(([, one]) => one);
    try {
      const claimed = await store.claimInvitations(invitationIds, workerId, id);
      logClaim(log, claimed);
      if (claimed.length < turn.length) await this.#putOff(turn, claimed);
      return claimed;
    } catch (error) {
      // 55000: counted as lost; the next heartbeat registers again.
      if (!isNotReady(error) && errorCode(error) !== '55000') {
        log.error({ err: error, invitations: invitationIds }, "emails can't be claimed; the sweep looks at them again");
        return [];
      }
      logOutage(log, error, "emails can't be claimed now; trying again", { invitations: turn.length });
      ready.putBack(turn);
      this.#turns.wait(RETRY_MS);
      return [];
    }
  }

  /** What the rate turned down keeps its place here: as a job, it would cost another one each time. */
  async #putOff(turn: Turn, claimed: readonly ClaimedInvitation[]): Promise<void> {
    const { store, workerId, ready, log } = this.#context;
    const taken = new Set(claimed.map((invitation) => Number(invitation.id)));
    const left = turn.map(([, one]) => one).filter((one) => !taken.has(one));
    try {
      const kept = new Set(await store.putOffInvitations(left, workerId));
      logNotClaimed(
        log,
        left.filter((one) => !kept.has(one)),
      );
      this.#turns.refund(left.length - kept.size);
      ready.putBack(turn.filter(([, one]) => kept.has(one)));
    } catch (error) {
      // What is due is found by the sweep.
      log.warn({ err: error, invitations: left.length }, "emails can't be put off");
    }
  }
}
