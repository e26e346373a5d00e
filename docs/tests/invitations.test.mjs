// Node 20 or later, without packages: node --test invitations.test.mjs
import assert from 'node:assert/strict';
import test from 'node:test';

const URL = process.env.INVITATION_URL ?? 'http://127.0.0.1:3000';
const headers = { authorization: `Bearer ${process.env.INVITATION_TEST_SECRET}`, 'content-type': 'application/json' };

async function call(path, body) {
  const response = await fetch(URL + path, { headers, ...(body && { method: 'POST', body: JSON.stringify(body) }) });
  const answer = await response.json();
  if (!answer.ok) throw new Error(`${answer.error.code}: ${answer.message}`);
  return answer;
}

test('a customer is invited, reminded after three days, and responds to nothing more', async () => {
  // Your code makes this call. Here it stands for it. The address is new in each run, so that runs don't meet.
  const run = Date.now();
  const quiet = `person+${run}@sim.invalid`;
  const happy = `responds-9+${run}@sim.invalid`;
  const { batch } = await call('/api/invitation-trigger', { emails: [quiet, happy], reminders: [3] });

  const { counts } = await call('/api/v1/test/advance', { by: 'P7D' });
  assert.equal(counts['invitation.sent'], 2);
  assert.equal(counts['invitation.reminded'], 1);
  assert.equal(counts['response.submitted'], 1);

  const { emails } = await call(`/api/v1/test/emails?batch=${batch.uuid}`);
  assert.deepEqual(
    emails.map(({ to, reminder }) => [to.email, reminder]),
    [[quiet, 1], [happy, 0], [quiet, 0]],
  );
  const { email } = await call(`/api/v1/test/emails/${emails[0].id}`);
  assert.ok(email.text.includes(email.links.survey));
});
