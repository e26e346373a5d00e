// The log lines of a worker while it sends.
import { Writable } from 'node:stream';
import t from 'tap';
import { createLog } from '../../src/log.ts';
import type { MessageSender } from '../../src/relay/relay.ts';
import { startWorker } from '../../src/worker/worker.ts';
import { createBatch, createTestDatabase, until } from '../fixtures/setup.ts';

const { url, sql, store } = await createTestDatabase(t);

t.test('at info the worker says how many emails it attempted, by outcome', async (t) => {
  const lines: { msg: string; accepted?: number; suppressed?: number }[] = [];
  const destination = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)));
      done();
    },
  });
  const sender: MessageSender = {
    maxBatch: 1,
    async send([message]) {
      return [message.to.email.startsWith('b') ? { kind: 'suppressed', code: 'x', detail: 'x' } : { kind: 'accepted' }];
    },
    close: async () => {},
  };
  const render = { publicUrl: 'https://i.example', from: { name: 'Surveys', email: 'surveys@example.org' } };
  await createBatch(store, { recipients: [{ email: 'a@example.com' }, { email: 'b@example.com' }, { email: 'c@example.com' }] });
  const worker = startWorker({
    databaseUrl: url,
    databasePool: 2,
    concurrency: 1,
    delivery: { sender, render, concurrency: 2, relay: { name: 'activity', rate: undefined } },
    log: createLog('info', destination),
  });
  t.teardown(() => worker.stop());
  await until('all were attempted', async () => {
    const [row] = await sql`select count(*)::integer as open from test.invitations where status in ('queued', 'sending')`;
    return row?.open === 0;
  });
  await worker.stop();
  t.match(
    lines.filter(({ msg }) => msg === 'emails attempted'),
    [{ accepted: 2, suppressed: 1 }],
    'at the latest when it stops',
  );
});
