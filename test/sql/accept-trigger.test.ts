// accept_trigger: what is refused in which order, the cooldown under its lock, the volume limit, what an accepted request leaves behind.
import t from 'tap';
import { createSurvey, createTestDatabase, createToken, until } from '../fixtures/setup.ts';

const { sql, functions, connect } = await createTestDatabase(t);
const ada = [{ email: 'ada@example.com' }];

/** accept_trigger at a given time. */
const acceptAt = async (hash: Buffer, at: string, recipientsPerHour = 10_000, recipients: object[] = ada) => {
  const [row] = await sql`
    select * from invite.accept_trigger(${hash}, ${sql.json(recipients as never)}, at => ${at}, recipients_per_hour => ${recipientsPerHour})`;
  return row as {
    outcome: string;
    retry_after_seconds: number | null;
    batch_id: string | null;
    scheduled_at: Date;
    status: string;
  };
};

t.test('a second request is refused 59 seconds after the first and accepted 60 seconds after it', async (t) => {
  const { survey } = await createSurvey(functions);
  const { hash } = await createToken(functions, survey, { cooldownSeconds: 60 });
  t.equal((await acceptAt(hash, '2030-01-01 10:00:00Z')).outcome, 'accepted');
  t.match(await acceptAt(hash, '2030-01-01 10:00:59Z'), { outcome: 'cooldown', retry_after_seconds: 1 });
  t.match(
    await acceptAt(hash, '2030-01-01 10:00:01Z'),
    { outcome: 'cooldown', retry_after_seconds: 59 },
    'a refusal does not extend the cooldown',
  );
  t.equal((await acceptAt(hash, '2030-01-01 10:01:00Z')).outcome, 'accepted');
});

t.test('of two interleaved transactions the second waits for the lock and is then refused', async (t) => {
  const { survey } = await createSurvey(functions);
  const { hash } = await createToken(functions, survey, { cooldownSeconds: 60 });
  const [first, second] = [connect(), connect()];
  const pid = async () => (await second`select pg_backend_pid() as pid`)[0]?.pid as number;
  const secondPid = await pid();
  let waiting: Promise<{ outcome: string }[]> | undefined;
  await first.begin(async (transaction) => {
    const [accepted] = await transaction`select * from invite.accept_trigger(${hash}, ${sql.json(ada)})`;
    t.equal(accepted?.outcome, 'accepted');
    waiting = second<{ outcome: string }[]>`select * from invite.accept_trigger(${hash}, ${sql.json(ada)})`.then((rows) => [
      ...rows,
    ]);
    await until('the second transaction waits for the first', async () => {
      const [row] = await sql`select cardinality(pg_blocking_pids(${secondPid})) > 0 as blocked`;
      return row?.blocked;
    });
  });
  t.equal((await waiting)?.[0]?.outcome, 'cooldown');
});
