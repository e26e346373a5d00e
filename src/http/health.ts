// GET /healthz: the process runs. GET /readyz: it can serve requests.

import { NotReadyError } from '../errors.ts';
import { type Log, logOutage } from '../log.ts';
import { type Answer, json } from './answer.ts';
import { asApiError, NOT_READY, NOT_READY_RETRY } from './error-answer.ts';
import type { Readiness } from './readiness.ts';

const STOPPING = 'The server is stopping.';

/** Milliseconds that a good result is used again, so that a flood of requests makes few queries. */
const MAX_AGE = 1_000;

export interface HealthContext {
  readonly readiness: Readiness;
  readonly log: Log;
}

export const healthz = () => (): Answer => json(200, { ok: true });

/** Anyone may call this, so it says nothing about relays. */
export function readyz({ readiness, log }: HealthContext) {
  return async (): Promise<Answer> => {
    if (readiness.stopping) return json(503, { ok: false, message: STOPPING });
    try {
      await readiness.ready(MAX_AGE);
      const sending = readiness.sendingPaused ? 'paused' : 'active';
      return json(200, { ok: true, database: 'ready', schema_version: readiness.schemaVersion, sending });
    } catch (error) {
      logOutage(log, error, NOT_READY);
      const { code, message } = asApiError(error);
      const database = error instanceof NotReadyError ? error.database : code;
      return json(503, { ok: false, database, message }, { 'retry-after': String(NOT_READY_RETRY) });
    }
  };
}
