// GET /healthz: the process is alive. GET /readyz: it can do its work.

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
      readiness.doubt();
      await readiness.ready();
      // A relay that takes no mail is no reason to take requests away from this process: they are queued.
      const relays = await store.relayConditions();
      return json(200, { ok: true, database: 'ready', schema_version: SCHEMA_VERSION, relays });
    } catch (error) {
      log.warn({ err: error }, 'not ready');
      const { code, message } = asApiError(error);
      return json(503, { ok: false, database: code, message }, { 'retry-after': '5' });
    }
  };
}
