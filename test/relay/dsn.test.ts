// Bounces as mail servers write them: which email they name, and what they mean.
import { randomBytes } from 'node:crypto';
import t from 'tap';
import { readReport } from '../../src/relay/dsn.ts';
import { createReturnPath } from '../../src/relay/return-path.ts';
import { createKeyring } from '../../src/sealed.ts';
import { REPORTS, vacation } from '../fixtures/dsn.ts';
import { outgoingMessage } from '../fixtures/mail.ts';

const key = () => randomBytes(32).toString('base64');
const [first, second] = [key(), key()];
const path = createReturnPath('bounces@b.example.org', createKeyring([first]));
const NOW = new Date('2026-11-24T12:00:00Z');
const message = outgoingMessage({ id: '4503599627370497', home: 'ab12z9y8', number: 2 });
const returnPath = path.addressFor(message) ?? '';
const bounced = {
  returnPath,
  to: 'ada@example.com',
  messageId: '<ab12z9y8.0190a1b2-0000-7000-8000-000000000001.4503599627370497.reminder2@example.org>',
};
const read = (text: string, by = path) => readReport(Buffer.from(text), by, NOW);

t.test('the address names the email, is short enough for any server, and belongs to no other key', async (t) => {
  t.match(returnPath, /^bounces\+ab12z9y8-[a-z0-9]{11}-2-[0-9a-f]{20}@b\.example\.org$/);
  t.ok(returnPath.indexOf('@') <= 64);
  const longest = createReturnPath('sixteen-letters-@b.example', createKeyring([first]));
  const most = { ...message, id: String(Number.MAX_SAFE_INTEGER), number: 5 };
  t.ok((longest.addressFor(most) ?? '').indexOf('@') <= 64);
  t.same(path.find(path.addressFor(most) ?? ''), { home: 'ab12z9y8', invitationId: most.id, number: 5 });
  t.same(path.find(`To: <${returnPath.toUpperCase()}>`), { home: 'ab12z9y8', invitationId: message.id, number: 2 });
  t.equal(createReturnPath('bounces@b.example.org', createKeyring([second])).find(returnPath), undefined, 'another key');
  const rotated = createReturnPath('bounces@b.example.org', createKeyring([second, first]));
  t.ok(rotated.find(returnPath), 'an old key still counts');
  t.not(rotated.addressFor(message), returnPath, 'the first one signs');
  for (const other of [{ home: undefined }, { home: '' }, { number: undefined }])
    t.equal(path.addressFor({ ...message, ...other }), undefined, 'what is no invitation has none');
});

t.test('an address that was changed in any place names nothing', async (t) => {
  const [local = ''] = returnPath.split('@');
  for (let at = 'bounces+'.length; at < local.length; at += 1) {
    const other = local[at] === '0' ? '1' : '0';
    const forged = `${returnPath.slice(0, at)}${local[at] === '-' ? '' : other}${returnPath.slice(at + 1)}`;
    t.equal(path.find(forged), undefined, forged);
  }
  const flood = '+aaaaaaaa-1-0-00000000000000000000@x '.repeat(200);
  t.equal(path.find(flood + returnPath), undefined, 'after a hundred forged ones it stops looking');
});

for (const [what, [type, write]] of Object.entries(REPORTS)) {
  t.test(`${what}: ${type ?? 'ignored'}`, async (t) => {
    const report = await read(write(bounced));
    t.equal(report.event?.type, type);
    if (type === undefined) t.equal(report.kind, 'other');
    else t.match(report.event, { home: 'ab12z9y8', invitationId: message.id });
    t.notMatch(report.event?.detail ?? '', /https?:/);
    t.equal((await read(write({ ...bounced, returnPath: 'bounces@b.example.org' }))).kind, 'unsigned', 'without the MAC');
    t.equal((await read(write(bounced), createReturnPath('bounces@b.example.org', createKeyring([second])))).kind, 'unsigned');
  });
}

t.test(
  'the event has the address, the Message-ID and the words of the server, and is the same when it comes again',
  async (t) => {
    const [, write] = REPORTS['Google: the account does not exist'] ?? [];
    const report = await read(write?.(bounced) ?? '');
    t.match(report.event, {
      email: 'ada@example.com',
      relayMessageId: bounced.messageId,
      at: new Date('2026-11-24T08:12:02Z'),
      detail: /^5\.1\.1 550-5\.1\.1 The email account that you tried to reach does not exist/,
    });
    const again = await read(`Received: from elsewhere\r\n${write?.(bounced)}`);
    t.same(again.event, report.event);
    const forwarded = await read(REPORTS['sendmail: for several, the failed one counts']?.[1](bounced) ?? '');
    t.match(
      forwarded.event,
      { email: 'gone@elsewhere.example', relayMessageId: bounced.messageId },
      'a forwarded email is found by its id',
    );
  },
);

t.test('notes, other mail and what cannot be read report nothing', async (t) => {
  t.same(await read(vacation(bounced)), { kind: 'other' });
  for (const text of ['', '\0\0\0', 'Subject: hello\r\n\r\nhi', '--x\r\n'.repeat(1000)])
    t.same(await read(text), { kind: 'unsigned' });
  const deep = `To: ${returnPath}\r\n${'Content-Type: multipart/mixed; boundary="a"\r\n\r\n--a\r\n'.repeat(2000)}`;
  t.same(await read(deep), { kind: 'other' });
  t.same(await readReport(randomBytes(2 * 1024 * 1024), path, NOW), { kind: 'unsigned' });
});
