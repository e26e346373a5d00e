// What graphile-worker logs, in the worker's log.
import type { Log } from '../log.ts';
import { STOPPING } from './ready-list.ts';

interface Scope {
  readonly label?: string;
  readonly taskIdentifier?: string;
  readonly jobId?: string;
}

/** For graphile-worker's Logger. Its levels are error, warning, info and debug. */
export const createRunnerLog = (log: Log) => (scope: Scope) => (level: string, message: string) => {
  const line = { scope: scope.taskIdentifier ?? scope.label, job: scope.jobId };
  // Expected: another worker takes a job that comes while this one stops.
  if (level === 'error' && message.includes(STOPPING)) log.info(line, 'the worker is stopping: another takes the job');
  else if (level === 'error') log.error(line, message);
  else if (level === 'warning') log.warn(line, message);
  else log.debug(line, message);
};
