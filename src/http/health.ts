// GET /healthz: the process runs. GET /readyz: it can serve requests.

import type { Store } from '../database/store.ts';
import type { Log } from '../log.ts';
import { endOutage, logOutage, outageOf } from '../outage.ts';
import { type Answer, json } from './answer.ts';
import { asApiError, NOT_READY, NOT_READY_RETRY } from './error-answer.ts';
import type { Readiness } from './readiness.ts';

const STOPPING = 'The server is stopping.';

/** Milliseconds that a good result is used again, so that a flood of requests makes few queries. */
const MAX_AGE = 1_000;

export interface HealthContext {
  readonly readiness: Readiness;
  readonly store: Pick<Store, 'tryWrite'>;
  readonly log: Log;
}

export const healthz = () => (): Answer => json(200, { ok: true });

/** Asks the database now. After a failed write it must take one again: a server that can't accept requests isn't ready. */
export async function checkReady({ readiness, store, log }: HealthContext): Promise<void> {
  try {
    await readiness.ready(MAX_AGE);
    await endOutage(log, store.tryWrite);
  } catch (error) {
    logOutage(log, error, NOT_READY);
    throw error;
  }
}

/** Anyone may call this, so it says nothing about relays. */
export function readyz(context: HealthContext) {
  const { readiness } = context;
  return async (): Promise<Answer> => {
    if (readiness.stopping) return json(503, { ok: false, message: STOPPING });
    try {
      await checkReady(context);
      const sending = readiness.sendingPaused ? 'paused' : 'active';
      return json(200, { ok: true, database: 'ready', schema_version: readiness.schemaVersion, sending });
    } catch (error) {
      const { message } = asApiError(error);
      const outage = outageOf(error);
      const database = outage === 'read_only' || outage === 'disk_full' ? outage : 'not_ready';
      return json(503, { ok: false, database, message }, { 'retry-after': String(NOT_READY_RETRY) });
    }
  };
}
