// The answer says how many recipients rest, and until when emails may leave, only where the workspace or the survey has such rules.
import t from 'tap';
import { startTestServer } from '../fixtures/http.ts';
import { idsOf } from '../fixtures/inspect.ts';
import { createSurvey, createTestDatabase, createToken, createWorker } from '../fixtures/setup.ts';

const { sql, store, urlAs } = await createTestDatabase(t);
const { post } = await startTestServer(t, urlAs('invite_web'));
const { workspace, survey } = await createSurvey(store);
const { token, secret } = await createToken(store, survey);

const batchOf = async (emails: readonly string[], body: object = {}) => {
  const reply = await post({ token: secret, emails, ...body });
  t.equal(reply.status, 200, JSON.stringify(reply.body));
  return reply.body.batch as Record<string, unknown>;
};

t.test('without rules nothing is said', async (t) => {
  t.strictSame(Object.keys(await batchOf(['ada@example.com'])), ['uuid', 'scheduled_at', 'status']);
});

t.test('with a rest it says how many rest, in any case of letters, and until when the rest lets them wait', async (t) => {
  const worker = await createWorker(store);
  const [claimed] = await store.claimInvitations(await idsOf(sql, survey), worker);
  await store.settleInvitations([{ id: claimed?.id ?? '', claim_id: claimed?.claimId ?? '', outcome: 'accepted' }]);
  await sql`update invite.workspaces set rest_days = 30 where id = ${workspace}`;
  const batch = await batchOf(['ADA@example.com', 'bob@example.com'], { send_at: '2027-01-01T08:00:00Z' });
  t.match(batch, { resting: 1, leave_by: '2027-01-31 08:00:00' });
  await sql`update invite.workspaces set max_delay_hours = 24 where id = ${workspace}`;
  t.match(await batchOf(['eve@example.com'], { send_at: '2027-01-01T08:00:00Z' }), {
    resting: 0,
    leave_by: '2027-01-02 08:00:00',
  });
});

t.test('a token that ignores the rest says nothing of it', async (t) => {
  await sql`update invite.trigger_tokens set ignores_rest = true where id = ${token}`;
  const batch = await batchOf(['ada@example.com'], { send_at: '2027-01-01T08:00:00Z' });
  t.notOk('resting' in batch);
  t.equal(batch.leave_by, '2027-01-02 08:00:00');
});
