// An outage of the database is one line, its end another, and what comes and goes is said at most once a minute.
import t from 'tap';
import { ApiError, NotReadyError } from '../src/errors.ts';
import { createLog } from '../src/log.ts';
import { endOutage, logOutage, OUTAGE_OVER, OUTAGE_WORDS, outageOf } from '../src/outage.ts';

const setup = () => {
  const lines: { level: number; msg: string }[] = [];
  return { lines, log: createLog('info', { write: (line) => void lines.push(JSON.parse(line)) }) };
};
const failed = (code: string) => Object.assign(new Error('why'), { code });

t.test('it is said when it begins, when it becomes another, and when a write succeeds', async (t) => {
  const { lines, log } = setup();
  await endOutage(log, () => Promise.reject(new Error('nothing is tried without an outage')));
  for (let count = 0; count < 3; count += 1) logOutage(log, failed('53100'), 'a request', { route: '/x' });
  t.match(lines, [
    { level: 50, msg: OUTAGE_WORDS.disk_full, condition: 'disk_full', code: '53100', doing: 'a request', route: '/x' },
  ]);
  logOutage(log, failed('57P01'), 'another');
  logOutage(log, failed('53100'), 'a third');
  t.match(lines.slice(1), [{ level: 50, msg: OUTAGE_WORDS.unreachable }]);
  await t.rejects(endOutage(log, () => Promise.reject(failed('53100'))));
  t.equal(lines.length, 2, 'it is not over');
  let writes = 0;
  const write = async () => {
    writes += 1;
  };
  await Promise.all([endOutage(log, write), endOutage(log, write)]);
  t.equal(writes, 1, 'they share one write');
  t.match(lines.slice(2), [{ level: 40, msg: OUTAGE_OVER }]);
  logOutage(log, failed('53100'), 'a request');
  await endOutage(log, write);
  t.equal(lines.length, 3, 'within the minute neither its return nor its end is said');
});

t.test('a lock, a cancelled statement and too much work are no outage of the database', async (t) => {
  const { lines, log } = setup();
  const errors = [
    ...['55P03', '57014', '40P01', '55000', '23505'].map(failed),
    new NotReadyError('too many requests are waiting for the database', 'busy'),
    new ApiError('not_ready', 'a page took longer than its time, and was given up'),
  ];
  for (const error of errors) t.equal(outageOf(error), undefined);
  for (let count = 0; count < 3; count += 1) logOutage(log, errors[0], 'a request had to wait');
  t.match(lines, [{ level: 40, msg: 'a request had to wait' }]);
  t.equal(outageOf(new NotReadyError('the database is read-only, as a standby is', 'read_only')), 'read_only');
  t.equal(outageOf(failed('25006')), 'read_only');
  t.equal(outageOf(failed('ECONNREFUSED')), 'unreachable');
});
