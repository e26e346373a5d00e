// Migrations beside a running worker. Each applies every function, trigger, view and grant again, while emails are accepted, held and sent.
import { randomUUID } from 'node:crypto';
import t from 'tap';
import { migrate } from '../../src/database/migrate.ts';
import { patient } from '../../src/database/store.ts';
import type { MessageSender } from '../../src/relay/relay.ts';
import { startWorker } from '../../src/worker/worker.ts';
import { createSurvey, createTestDatabase, createToken, silent, until } from '../fixtures/setup.ts';
import { acceptTrigger } from '../fixtures/trigger.ts';

const { url, sql, store: hasty } = await createTestDatabase(t);
/** Tries again, as the command line does, because a migration locks the surveys for longer than one try waits. */
const store = patient(hasty);
const MIGRATIONS = 12;

t.test('while the database is migrated many times, nothing is lost, nothing is sent twice, and no error stays', async (t) => {
  const sent: string[] = [];
  const sender: MessageSender = {
    maxBatch: 1,
    async send(mails) {
      sent.push(...mails.map(({ id }) => id));
      return mails.map(() => ({ kind: 'accepted' }));
    },
    close: async () => {},
  };
  const worker = startWorker({
    databaseUrl: url,
    databasePool: 2,
    concurrency: 2,
    delivery: {
      sender,
      render: { publicUrl: 'https://i.example', from: { name: 'Surveys', email: 'surveys@example.org' } },
      concurrency: 5,
      relay: { name: randomUUID(), rate: undefined },
    },
    log: silent,
  });
  t.teardown(() => worker.stop());
  await worker.started;
  const { survey } = await createSurvey(store);
  const { hash } = await createToken(store, survey);

  let migrating = true;
  const migrated = (async () => {
    for (let time = 0; time < MIGRATIONS; time += 1) await migrate(url);
    migrating = false;
  })();
  let accepted = 0;
  while (migrating) {
    const recipients = Array.from({ length: 10 }, (_, index) => ({ email: `person${accepted + index}@example.com` }));
    t.equal((await acceptTrigger(store, hash, { recipients }, 1_000_000)).outcome, 'accepted');
    accepted += recipients.length;
    await store.setSurveyState(survey, accepted % 20 === 0 ? 'closed' : 'active');
  }
  await migrated;
  await store.setSurveyState(survey, 'active');

  await until('everything is sent', async () => {
    const [row] = await sql`select count(*)::integer as open from invite.messages where status <> 'sent'`;
    return row?.open === 0;
  });
  t.equal(sent.length, accepted);
  t.equal(new Set(sent).size, accepted);
  await until('no job is left that has failed', async () => {
    const [row] = await sql`select count(*)::integer as failed from graphile_worker.jobs where last_error is not null`;
    return row?.failed === 0;
  });
});
