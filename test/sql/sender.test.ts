// The sender of emails: it is set for a workspace and a token, checked, audited, and delivered with the email when it is claimed.
import t from 'tap';
import { constraintMessage } from '../../src/constraint-messages.ts';
import type { Sender } from '../../src/database/store.ts';
import { constraint, idsOf, sqlstate } from '../fixtures/inspect.ts';
import { createMember } from '../fixtures/members.ts';
import { createSurvey, createTestDatabase, createToken, createWorker } from '../fixtures/setup.ts';
import { acceptTrigger } from '../fixtures/trigger.ts';

const { sql, store } = await createTestDatabase(t);
const worker = await createWorker(store);
const senderOf = async (workspace: string) =>
  (await sql<{ sender: Sender | null }[]>`select sender from invite.workspace_overview where id = ${workspace}`)[0]?.sender;

t.test('what is given changes, what is left out stays, what is empty goes', async (t) => {
  const { workspace } = await createSurvey(store);
  t.equal(await senderOf(workspace), null);
  await store.setWorkspaceSender(workspace, { name: 'Fjord', reply_to: 'care@fjord.example' });
  await store.setWorkspaceSender(workspace, { name: 'Fjord Outdoor', logo_url: 'https://fjord.example/logo.png' });
  t.same(await senderOf(workspace), {
    name: 'Fjord Outdoor',
    reply_to: 'care@fjord.example',
    logo_url: 'https://fjord.example/logo.png',
  });
  await store.setWorkspaceSender(workspace, { reply_to: '', logo_url: '', name: '' });
  t.equal(await senderOf(workspace), null);
  t.equal(await sqlstate(store.setWorkspaceSender('none', {})), 'P0002');
});

t.test('a setting of a wrong form is rejected by its name, for a workspace and a token', async (t) => {
  const { workspace, survey } = await createSurvey(store);
  const { token } = await createToken(store, survey);
  const wrong: Record<string, unknown[]> = {
    name: ['a\nBcc: eve@example.com', 'x'.repeat(101), ' a', 7, {}],
    email: ['nope', 'a@b', 'Ada <a@b.example>', 'a@b.example\r\nBcc: c@d.example', 'a b@c.example', 'é@c.example', 7],
    reply_to: ['a@b.example, c@d.example', `${'a'.repeat(250)}@b.example`],
    logo_url: ['http://fjord.example/logo.png', 'javascript:alert(1)', 'https://fjord.example/"><script>', 'https://a b'],
    logo_alt: ['a\nb'],
    accent_color: ['red', '#fff', '#0b5cad;background:url(x)', '0b5cad'],
    postal_address: ['x'.repeat(501), 'a\u0007b'],
    recipient_word: ['a\nb'],
    greeting_without_name: ['a\nb', 'x'.repeat(101), 'Dear {{recipient_name}},', 7],
    subject_without_name: ['x'.repeat(256), '{{recipient_name}}?'],
    button_text: ['a\nb', 'x'.repeat(101), ''.padEnd(3), 7],
    preheader: ['a\nb', 'x'.repeat(256), 'a\u202eb', 7],
    unknown_setting: ['x'],
  };
  for (const [field, values] of Object.entries(wrong)) {
    for (const value of values) {
      t.ok(constraintMessage({ constraint_name: `sender_${field}` }), `${field} has words`);
      const sender = { [field === 'unknown_setting' ? 'nmae' : field]: value } as Sender;
      t.equal(await constraint(store.setWorkspaceSender(workspace, sender)), `sender_${field}`, JSON.stringify(sender));
      t.equal(await constraint(store.updateTriggerToken(token, { sender })), `sender_${field}`, JSON.stringify(sender));
    }
  }
  t.equal(await constraint(sql`update invite.workspaces set sender = '[]' where id = ${workspace}`), 'sender_unknown_setting');
  t.equal(await senderOf(workspace), null);
});

t.test("a claimed email has the workspace's present sender, with the token's of the accepted request over it", async (t) => {
  const { workspace, survey } = await createSurvey(store);
  const plain = await createToken(store, survey);
  const own = await createToken(store, survey, { sender: { name: 'Fjord Support', accent_color: '#123456' } });
  await store.setWorkspaceSender(workspace, { name: 'Fjord', reply_to: 'care@fjord.example' });
  for (const { hash } of [plain, own]) await acceptTrigger(store, hash, { recipients: [{ email: 'ada@example.com' }] }, 10_000);
  await store.updateTriggerToken(own.token, { sender: { name: 'Changed later' } });
  await store.setWorkspaceSender(workspace, { reply_to: 'help@fjord.example' });
  const claimed = await store.claimInvitations(await idsOf(sql, survey), worker);
  t.same(
    claimed.map(({ sender }) => sender),
    [
      { name: 'Fjord', reply_to: 'help@fjord.example' },
      { name: 'Fjord Support', accent_color: '#123456', reply_to: 'help@fjord.example' },
    ],
  );
  const unset = await createSurvey(store);
  const token = await createToken(store, unset.survey);
  await acceptTrigger(store, token.hash, { recipients: [{ email: 'ada@example.com' }] }, 10_000);
  t.match(await store.claimInvitations(await idsOf(sql, unset.survey), worker), [{ sender: null }]);
});

t.test("a token's own sender changes by single settings", async (t) => {
  const { survey } = await createSurvey(store);
  const { token } = await createToken(store, survey, { sender: { name: 'Shop', accent_color: '#123456' } });
  await store.updateTriggerToken(token, { sender: { accent_color: '', reply_to: 'shop@fjord.example' } });
  await store.updateTriggerToken(token, { name: 'Renamed' });
  t.same((await store.findTriggerToken(token))?.sender, { name: 'Shop', reply_to: 'shop@fjord.example' });
  await store.updateTriggerToken(token, { sender: { name: '', reply_to: '' } });
  t.equal((await store.findTriggerToken(token))?.sender, null);
});

t.test('the audit log says which settings changed, and nothing of what changes nothing', async (t) => {
  const { workspace } = await createSurvey(store);
  const owner = await createMember(store, workspace, 'owner');
  await store.setWorkspaceSender(workspace, { name: 'Fjord', reply_to: 'care@fjord.example' });
  await store.setWorkspaceSender(workspace, { name: 'Fjord' });
  await store.setWorkspaceSender(workspace, { name: 'Fjord', reply_to: '' });
  const entries = await store.console.listAuditEntries(owner.session, workspace, undefined, 50);
  t.same(
    entries.filter(({ action }) => action === 'sender_changed').map(({ actor, detail }) => [actor, detail]),
    [
      ['cli', { changed: ['reply_to'] }],
      ['cli', { changed: ['name', 'reply_to'] }],
    ],
  );
});
