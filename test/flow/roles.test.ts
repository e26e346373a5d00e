// The main job with the separate roles: the server as invite_web, the worker as invite_owner, management as invite_admin.
import t from 'tap';
import { openDatabase } from '../../src/database/pool.ts';
import { createStore } from '../../src/database/store.ts';
import type { OutgoingMessage } from '../../src/relay/relay.ts';
import { startServer } from '../../src/server.ts';
import { startWorker } from '../../src/worker/worker.ts';
import { createSurvey, createTestDatabase, createToken, silent, testConfig, until } from '../fixtures/setup.ts';

t.test('each process does its part of the main job with its role alone', async (t) => {
  const database = await createTestDatabase(t);
  const consoleSql = openDatabase(database.urlAs('invite_admin'), { applicationName: 'tests' });
  const console = createStore(consoleSql);
  const { survey } = await createSurvey(console);
  const { secret } = await createToken(console, survey);

  const emails: OutgoingMessage[] = [];
  const server = await startServer(testConfig(), database.urlAs('invite_web'), silent);
  const worker = startWorker({
    databaseUrl: database.url,
    databasePool: 2,
    concurrency: 2,
    delivery: {
      sender: {
        maxBatch: 1,
        send: async (batch) => {
          emails.push(...batch);
          return batch.map(() => ({ kind: 'accepted' }));
        },
        close: async () => {},
      },
      render: { publicUrl: server.url, from: { name: '', email: 'surveys@example.com' } },
      concurrency: 2,
    },
    log: silent,
  });
  t.teardown(async () => {
    await server.close();
    await worker.stop();
    await consoleSql.end();
  });

  const accepted = await fetch(`${server.url}/api/invitation-trigger`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'ada@example.com', metadata: { order_id: 'A-1' } }),
  });
  t.equal(accepted.status, 200);
  const email = await until('the email is sent', () => emails[0]);
  const link = new URL(/http\S+invitation=\S+/.exec(email.text)?.[0] ?? '');

  t.equal((await fetch(link)).status, 200);
  const form = new URLSearchParams({ invitation: link.searchParams.get('invitation') ?? '', 'answer.score': '10' });
  t.equal((await fetch(link, { method: 'POST', body: form })).status, 200, 'redirected to the thanks');
  t.equal((await fetch(/http\S+\/u\/\S+/.exec(email.text)?.[0] ?? '', { method: 'POST' })).status, 200, 'unsubscribed');

  const [result] = await console.listResults(survey, 10);
  t.match(result, { answers: { score: 10 }, attribution: 'invitation', email: 'ada@example.com', metadata: { order_id: 'A-1' } });
});
