// GET /healthz: the process is running. GET /readyz: it can serve requests.

import { SCHEMA_VERSION } from '../database/migrate.ts';
import type { Store } from '../database/store.ts';
import type { Log } from '../log.ts';
import { type Answer, json } from './answer.ts';
import { asApiError } from './error-answer.ts';
import type { Readiness } from './readiness.ts';

export interface HealthContext {
  readonly store: Pick<Store, 'relayConditions'>;
  readonly readiness: Readiness;
  readonly log: Log;
}

export const healthz = () => (): Answer => json(200, { ok: true });

export function readyz({ store, readiness, log }: HealthContext) {
  return async (): Promise<Answer> => {
    try {
      readiness.invalidate();
      await readiness.ready();
      // A paused relay doesn't make this process unready: requests are still queued.
      const relays = await store.relayConditions();
      return json(200, { ok: true, database: 'ready', schema_version: SCHEMA_VERSION, relays });
    } catch (error) {
      log.warn({ err: error }, 'not ready');
      const { code, message } = asApiError(error);
      return json(503, { ok: false, database: code, message }, { 'retry-after': '5' });
    }
  };
}
