// POST /relay-events/dsn takes a bounce: a message (RFC 5322) that a mail server received at an email's return path. Nobody needs a secret for
// it: a report without a valid return path is counted and ignored.
import type { Request } from 'polka';
import { isNotReady } from '../database/pool.ts';
import type { Store } from '../database/store.ts';
import { ApiError } from '../errors.ts';
import { type Answer, json } from '../http/answer.ts';
import { readBody } from '../http/body.ts';
import type { AddressLimit } from '../http/rate-limit.ts';
import type { Readiness } from '../http/readiness.ts';
import type { Log } from '../log.ts';
import type { Recorder } from '../metrics.ts';
import { MAX_REPORT_BYTES, readReport } from '../relay/dsn.ts';
import type { ReturnPath } from '../relay/return-path.ts';
import { recordEvents } from './record.ts';

export interface DsnContext {
  readonly store: Pick<Store, 'recordRelayEvents'>;
  readonly readiness: Readiness;
  /** Undefined: SMTP_RETURN_PATH isn't set. */
  readonly returnPath: ReturnPath | undefined;
  /** Limits reports without a valid return path. */
  readonly limit: AddressLimit;
  readonly recorder: Pick<Recorder, 'report'> | undefined;
  readonly log: Log;
}

export type ReportResult = 'recorded' | 'repeated' | 'ignored' | 'unsigned';

/** Records what a report says, once. Rejects if the database isn't ready. */
export async function recordReport(
  store: DsnContext['store'],
  returnPath: ReturnPath,
  raw: Buffer,
): Promise<{ result: ReportResult; type?: string; invitation?: string }> {
  const { kind, event } = await readReport(raw, returnPath, new Date());
  if (event === undefined) return { result: kind === 'unsigned' ? 'unsigned' : 'ignored' };
  const recorded = await recordEvents(store, 'smtp', [event]);
  return { result: recorded > 0 ? 'recorded' : 'repeated', type: event.type ?? '', invitation: event.invitationId ?? '' };
}

export function dsnReports({ store, readiness, returnPath, limit, recorder, log }: DsnContext) {
  return async (request: Request): Promise<Answer> => {
    if (returnPath === undefined) throw new ApiError('not_found', 'There is nothing at this address.');
    limit.take(request);
    const body = await readBody(request, MAX_REPORT_BYTES);
    try {
      await readiness.ready();
      const report = await recordReport(store, returnPath, body);
      if (report.result !== 'unsigned') limit.giveBack(request);
      recorder?.report(report.result);
      log[report.result === 'unsigned' ? 'warn' : 'info'](report, 'delivery status notification');
      return json(200, { ok: true, result: report.result });
    } catch (error) {
      if (isNotReady(error)) readiness.invalidate(error);
      throw error;
    }
  };
}
