// The log lines about the relay. Each change is logged once. If the relay is busy repeatedly, there are at most two lines a minute.
import t from 'tap';
import { createLog } from '../../src/log.ts';
import { createRelayLog, logRelayAtStart } from '../../src/worker/relay-log.ts';

const setup = () => {
  const lines: Record<string, unknown>[] = [];
  const log = createLog('warn', { write: (line) => lines.push(JSON.parse(line)) });
  return { lines, log };
};
const change = (from: string, condition: string) =>
  ({ relay: 'r', from, condition, since: '2030-01-31T09:00:00Z', detail: null }) as never;

t.test('a fault and its end are always said, a relay that is busy for moments once a minute', async (t) => {
  const { lines, log } = setup();
  let now = 0;
  const say = createRelayLog(log, () => now);
  for (; now < 60_000; now += 1_000) {
    say(change('healthy', 'busy'));
    say(change('busy', 'healthy'));
  }
  t.same(
    lines.map(({ condition }) => condition),
    ['busy', 'healthy'],
  );
  for (let count = 0; count < 2; count += 1) {
    say(change('healthy', 'fault'));
    say(change('fault', 'healthy'));
  }
  t.same(
    lines.slice(2).map(({ condition }) => condition),
    ['fault', 'healthy', 'fault', 'healthy'],
  );
});

t.test('a worker that starts says what it finds of its own relay', async (t) => {
  const { lines, log } = setup();
  const found = { relay: 'r', condition: 'fault', since: '2030-01-31T09:00:00Z', paused_until: null, code: 'bad_key' } as const;
  logRelayAtStart(log, [{ ...found, relay: 'other' }], 'r');
  t.same(lines, []);
  logRelayAtStart(log, [found], 'r');
  t.match(lines, [{ level: 40, relay: 'r', code: 'bad_key', msg: /takes no email/ }]);
});
