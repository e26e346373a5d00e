// Another transaction has locked a row, as an ORM's `select … for update` does. It delays only the requests that need the row.
import t from 'tap';
import { startTestServer } from '../fixtures/http.ts';
import { openSession } from '../fixtures/inspect.ts';
import { createSurvey, createTestDatabase, createToken } from '../fixtures/setup.ts';

const database = await createTestDatabase(t);
const { sql, store } = database;
const { post } = await startTestServer(t, database.url);
const ada = { email: 'ada@example.com' };

const setup = async () => {
  const { workspace, survey } = await createSurvey(store);
  const tokens = await Promise.all(Array.from({ length: 4 }, () => createToken(store, survey)));
  return { workspace, survey, tokens };
};
type Fixture = Awaited<ReturnType<typeof setup>>;
type Session = typeof sql;

/** For each lock: what is locked, and whether requests that need it continue. */
const locks: [what: string, goesOn: boolean, lock: (session: Session, fixture: Fixture) => PromiseLike<unknown>][] = [
  [
    'the tokens',
    false,
    (session, { survey }) => session`select from invite.trigger_tokens where survey_id = ${survey} for update`,
  ],
  ['the survey', false, (session, { survey }) => session`select from invite.surveys where id = ${survey} for update`],
  [
    'the survey, by an update',
    true,
    (session, { survey }) => session`update invite.surveys set title = 'T' where id = ${survey}`,
  ],
  ['the workspace', true, (session, { workspace }) => session`select from invite.workspaces where id = ${workspace} for update`],
  ['the plan', true, (session) => session`select from invite.plans for update`],
];

for (const [what, goesOn, lock] of locks)
  t.test(`requests of other surveys go on while somebody has locked ${what}`, async (t) => {
    const [locked, other] = [await setup(), await setup()];
    const holder = await openSession(database);
    await holder.sql`begin`;
    await lock(holder.sql, locked);
    let decided = 0;
    const late = locked.tokens.map(async ({ secret }) => {
      const { status } = await post(ada, { secret });
      decided += 1;
      return status;
    });
    if (goesOn) t.strictSame(await Promise.all(late), [200, 200, 200, 200], 'its own requests too');
    for (let round = 0; round < 2; round += 1) {
      const statuses = await Promise.all(other.tokens.map(async ({ secret }) => (await post(ada, { secret })).status));
      t.strictSame(statuses, [200, 200, 200, 200]);
    }
    if (!goesOn) t.equal(decided, 0, 'while its own wait');
    await holder.sql`rollback`;
    t.strictSame(await Promise.all(late), [200, 200, 200, 200], 'and are accepted when it is free');
  });

t.test('a request whose survey stays locked is 503 with Retry-After', async (t) => {
  const { survey, tokens } = await setup();
  const holder = await openSession(database);
  await holder.sql`begin`;
  await holder.sql`select from invite.surveys where id = ${survey} for update`;
  const reply = await post(ada, { secret: tokens[0]?.secret });
  await holder.sql`rollback`;
  t.equal(reply.status, 503);
  t.equal(reply.body.error.code, 'not_ready');
  t.ok(Number(reply.headers.get('retry-after')) > 0);
});
