// Compares what caps cost: emails delivered to a relay that responds at once, without caps, beside another workspace's caps, and with a cap of each
// kind, none of which is reached.
import { delivered, queueEmails } from './emails.ts';
import { type Bench, createTrigger, type Database, startRelay, startWorker } from './harness.ts';
import { inRounds, type Result, ratios } from './result.ts';

const EMAILS = 20_000;
const WARM_UP = 3_000;
const MOST = 10_000_000;
const SENDER = { email: 'news@bench.example' };

/** Those that count the emails of a workspace, or nothing of it. */
async function setCaps({ sql }: Database, workspace: string): Promise<void> {
  await sql`update invite.workspaces set sender = ${sql.json(SENDER)} where id = ${workspace}`;
  for (const [scope, domain] of [
    ['workspace', ''],
    ['sender', 'bench.example'],
    ['recipient', 'example.com'],
  ] as const)
    await sql`select invite.set_cap(${workspace}, ${scope}::invite.cap_scope, ${domain}, ${MOST}, ${MOST})`;
}

export async function caps(bench: Bench): Promise<Result[]> {
  const relay = await startRelay();
  const contender = async (name: string, set: (database: Database) => Promise<unknown>) => {
    const database = await bench.database(`caps_${name}`);
    const trigger = await createTrigger(database);
    await set(database);
    const worker = await startWorker(database, relay);
    return { database, trigger, worker };
  };
  const none = await contender('none', async () => {});
  const others = await contender('others', async (database) => {
    const [row] = await database.sql`select invite.upsert_workspace(name => 'Other') as id`;
    await setCaps(database, String(row?.id));
  });
  const all = await contender('all', async (database) => {
    const [row] = await database.sql`select id from invite.workspaces`;
    await setCaps(database, String(row?.id));
    await database.sql`select invite.set_shared_cap('example.com', ${MOST}, ${MOST})`;
  });
  const deliver =
    ({ database, trigger }: typeof none) =>
    (warmUp: boolean) => {
      const emails = warmUp ? WARM_UP : EMAILS * bench.scale;
      return delivered(database, relay, emails, () => queueEmails(database, trigger, emails));
    };
  const found = await inRounds({ none: deliver(none), others: deliver(others), all: deliver(all) }, 5);
  for (const { worker } of [none, others, all]) await worker.end();
  await relay.end();
  return [
    {
      part: 'caps',
      title: 'Delivering with and without caps',
      used: `${found.none.length} rounds of ${EMAILS * bench.scale} emails to a relay that responds at once`,
      series: [
        { name: 'no caps', unit: 'emails/s', values: found.none },
        { name: "another workspace's", unit: 'emails/s', values: found.others, ratio: ratios(found.others, found.none) },
        { name: 'of all kinds', unit: 'emails/s', values: found.all, ratio: ratios(found.all, found.none) },
      ],
    },
  ];
}
