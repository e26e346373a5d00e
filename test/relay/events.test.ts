// The relays' webhooks. Signatures are made here with keys of the documented kinds, and are also tried with one byte changed or too old.
// Payloads are documented or unknown.
import { generateKeyPairSync, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import t from 'tap';
import { brevoEvents } from '../../src/relay/brevo.ts';
import type { RelayEventSource } from '../../src/relay/event.ts';
import { mailgunEvents } from '../../src/relay/mailgun.ts';
import { postmarkEvents } from '../../src/relay/postmark.ts';
import { resendEvents } from '../../src/relay/resend.ts';
import { sendgridEvents } from '../../src/relay/sendgrid.ts';
import { sesEvents } from '../../src/relay/ses.ts';
import { basic, bytes, EVENT_SOURCES, type Signed, signer } from '../fixtures/relay-events.ts';

const NOW = new Date('2030-01-31T09:00:00Z');
const seconds = Math.floor(NOW.getTime() / 1000);
const later = (by: number) => new Date(NOW.getTime() + by * 1000);
const { signResend, signSendgrid, signMailgun } = signer(seconds);

const accepts = ({ source, secret, body, headers }: Signed, now = NOW) => source.verify(body, headers, secret, now);

t.test('a signature over the body is accepted, and refused if one byte of body, signature or secret differs', async (t) => {
  for (const signed of [signResend(bytes({ type: 'email.sent' })), signSendgrid(bytes([{ event: 'processed' }]))]) {
    t.ok(accepts(signed));
    for (let place = 0; place < signed.body.length; place += 1) {
      const body = Buffer.from(signed.body);
      body[place] = (body[place] ?? 0) ^ 1;
      t.notOk(accepts({ ...signed, body }), `body byte ${place}`);
    }
    for (const [name, value] of Object.entries(signed.headers)) {
      const text = String(value);
      const other = text.slice(0, -4) + (text.at(-4) === '1' ? '2' : '1') + text.slice(-3);
      t.notOk(accepts({ ...signed, headers: { ...signed.headers, [name]: other } }), name);
      t.notOk(accepts({ ...signed, headers: { ...signed.headers, [name]: undefined } }), `no ${name}`);
      t.notOk(accepts({ ...signed, headers: { ...signed.headers, [name]: [text, text] } }), `${name} twice`);
    }
    const another = signed.source === resendEvents ? signResend(signed.body) : signSendgrid(signed.body);
    t.notOk(accepts({ ...signed, secret: another.secret }), "another sender's key");
    for (const secret of ['', 'whsec_', 'whsec_AAAA', 'not a key']) t.notOk(accepts({ ...signed, secret }), `secret ${secret}`);
  }
});

t.test("Mailgun's signature covers its token and timestamp", async (t) => {
  const signed = signMailgun({ event: 'delivered' });
  t.ok(accepts(signed));
  const parsed = JSON.parse(signed.body.toString());
  for (const change of [
    { timestamp: String(seconds + 1) },
    { token: `${parsed.signature.token.slice(1)}0` },
    { signature: parsed.signature.signature.replace(/.$/, (last: string) => (last === '0' ? '1' : '0')) },
    { token: undefined },
    { signature: undefined },
    { signature: [parsed.signature.signature] },
  ]) {
    const body = bytes({ ...parsed, signature: { ...parsed.signature, ...change } });
    t.notOk(accepts({ ...signed, body }), Object.keys(change)[0] as string);
  }
  for (const text of ['', 'null', '[]', '{}', '{"signature": 1}', '{'])
    t.notOk(accepts({ ...signed, body: Buffer.from(text) }), text);
});

t.test('a signature is accepted within its tolerance, before and after, and refused beyond', async (t) => {
  for (const [signed, tolerance] of [
    [signResend(bytes({})), 300],
    [signMailgun({}), 43_200],
    [signSendgrid(bytes([])), 90_000],
  ] as const) {
    for (const direction of [1, -1]) {
      t.ok(accepts(signed, later(direction * tolerance)), `${direction * tolerance} s`);
      t.notOk(accepts(signed, later(direction * (tolerance + 1))), `${direction * (tolerance + 1)} s`);
    }
  }
});

t.test(
  'one of several signatures during a rotation is enough, and the header names of Standard Webhooks are accepted too',
  async (t) => {
    const signed = signResend(bytes({}));
    const { 'svix-signature': signature, 'svix-id': id, 'svix-timestamp': timestamp } = signed.headers;
    t.ok(accepts({ ...signed, headers: { ...signed.headers, 'svix-signature': `v1,AAAA v1a,BBBB ${signature}` } }));
    t.notOk(accepts({ ...signed, headers: { ...signed.headers, 'svix-signature': 'v1,AAAA v1a,BBBB' } }));
    const standard = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature };
    t.ok(accepts({ ...signed, headers: standard }));
  },
);

t.test("a key of a kind that SendGrid doesn't use is refused", async (t) => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const signed = signSendgrid(bytes([]));
  const signature = sign('sha256', Buffer.concat([Buffer.from(String(seconds)), signed.body]), privateKey).toString('base64');
  const headers = { ...signed.headers, 'x-twilio-email-event-webhook-signature': signature };
  t.notOk(accepts({ ...signed, headers, secret: publicKey.export({ format: 'der', type: 'spki' }).toString('base64') }));
});

t.test('a relay that signs nothing is recognized by its credentials', async (t) => {
  const secret = 'relay:correct horse';
  for (const source of [postmarkEvents, brevoEvents, sesEvents]) {
    t.ok(source.verify(bytes({}), basic(secret), secret, NOW));
    for (const headers of [{}, basic('relay:correct hors'), basic(''), { authorization: secret }, { authorization: 'Basic' }]) {
      t.notOk(source.verify(bytes({}), headers, secret, NOW), JSON.stringify(headers));
    }
  }
  t.ok(brevoEvents.verify(bytes({}), { authorization: 'Bearer a-long-enough-token' }, 'a-long-enough-token', NOW));
  t.notOk(brevoEvents.verify(bytes({}), { authorization: 'Bearer a-long-enough-tokem' }, 'a-long-enough-token', NOW));
  t.notOk(postmarkEvents.verify(bytes({}), { authorization: 'Bearer a-long-enough-token' }, 'a-long-enough-token', NOW));
});

const AT = '2030-01-31T09:00:00.000Z';
const parse = (source: RelayEventSource, value: unknown) =>
  source.parse(bytes(value)).map(({ at, ...event }) => ({ ...event, at: at.toISOString() }));
const common = { home: 'home0001', invitationId: '7', email: 'ada@example.com', at: AT };

t.test("Resend's events", async (t) => {
  const event = (type: string, data: object = {}) => ({
    type,
    created_at: AT,
    data: { email_id: 'r-1', to: ['Ada <ada@example.com>'], tags: { invitation: 'home0001-7' }, ...data },
  });
  t.same(parse(resendEvents, event('email.bounced', { bounce: { type: 'Permanent', message: 'No such user.' } })), [
    { ...common, eventId: `email.bounced:r-1:${AT}`, relayMessageId: 'r-1', type: 'hard_bounce', detail: 'No such user.' },
  ]);
  for (const [type, data, expected] of [
    ['email.bounced', {}, 'hard_bounce'],
    ['email.bounced', { bounce: { type: 'Transient' } }, 'soft_bounce'],
    ['email.delivery_delayed', {}, 'soft_bounce'],
    ['email.suppressed', {}, 'hard_bounce'],
    ['email.complained', {}, 'complaint'],
    ['email.delivered', { tags: [{ name: 'invitation', value: 'home0001-7' }] }, 'delivered'],
  ] as const)
    t.match(parse(resendEvents, event(type, data)), [{ ...common, type: expected }], type);
});

t.test("Postmark's events", async (t) => {
  const event = (overrides: object) => ({
    MessageID: 'p-1',
    Email: 'ada@example.com',
    Metadata: { invitation: 'home0001-7' },
    BouncedAt: AT,
    ...overrides,
  });
  for (const [overrides, expected] of [
    [{ RecordType: 'Bounce', ID: 42, Type: 'HardBounce', Details: 'smtp;550' }, 'hard_bounce'],
    [{ RecordType: 'Bounce', ID: 42, Type: 'SoftBounce', Inactive: false }, 'soft_bounce'],
    [{ RecordType: 'Bounce', ID: 42, Type: 'Blocked', Inactive: true }, 'hard_bounce'],
    [{ RecordType: 'Bounce', ID: 42, Type: 'Unsubscribe' }, 'unsubscribe'],
    [{ RecordType: 'SpamComplaint', ID: 42 }, 'complaint'],
    [{ RecordType: 'Delivery', Recipient: 'ada@example.com', DeliveredAt: AT }, 'delivered'],
    [
      { RecordType: 'SubscriptionChange', SuppressSending: true, SuppressionReason: 'ManualSuppression', ChangedAt: AT },
      'unsubscribe',
    ],
    [{ RecordType: 'SubscriptionChange', SuppressSending: true, SuppressionReason: 'HardBounce', ChangedAt: AT }, 'hard_bounce'],
  ] as const)
    t.match(
      parse(postmarkEvents, event(overrides)),
      [{ ...common, type: expected, relayMessageId: 'p-1' }],
      JSON.stringify(overrides),
    );
  for (const overrides of [
    { RecordType: 'Bounce', Type: 'AutoResponder' },
    { RecordType: 'SubscriptionChange', SuppressSending: false },
  ])
    t.same(parse(postmarkEvents, event(overrides)), [], JSON.stringify(overrides));
});

t.test("SendGrid's events come many at once", async (t) => {
  const event = (name: string, overrides: object = {}) => ({
    email: 'ada@example.com',
    timestamp: seconds,
    event: name,
    sg_event_id: `sg-${name}`,
    sg_message_id: '14c5d75ce93.dfd.64b469.filter0001.16648.5515E0B88.0',
    invitation: 'home0001-7',
    ...overrides,
  });
  const events = [
    [event('bounce', { type: 'bounce', reason: '550 no' }), 'hard_bounce'],
    [event('bounce', { type: 'blocked' }), 'soft_bounce'],
    [event('deferred'), 'soft_bounce'],
    [event('dropped', { reason: 'Bounced Address' }), 'hard_bounce'],
    [event('dropped', { reason: 'Unsubscribed Address' }), 'unsubscribe'],
    [event('dropped', { reason: 'Spam Content' }), 'soft_bounce'],
    [event('spamreport'), 'complaint'],
    [event('group_unsubscribe'), 'unsubscribe'],
    [event('delivered'), 'delivered'],
  ] as const;
  const parsed = parse(sendgridEvents, [event('open'), ...events.map(([sent]) => sent), event('click')]);
  t.match(
    parsed,
    events.map(([sent, type]) => ({ ...common, type, eventId: sent.sg_event_id, relayMessageId: '14c5d75ce93.dfd.64b469' })),
  );
  t.equal(parsed.length, events.length);
});

t.test("Mailgun's events: one a token", async (t) => {
  const event = (name: string, overrides: object = {}) => ({
    event: name,
    timestamp: seconds,
    recipient: 'ada@example.com',
    message: { headers: { 'message-id': 'm-1@mg.example.com' } },
    'user-variables': { invitation: 'home0001-7' },
    ...overrides,
  });
  for (const [name, overrides, expected] of [
    ['failed', { severity: 'permanent', reason: 'bounce' }, 'hard_bounce'],
    ['failed', { severity: 'permanent', reason: 'old' }, 'soft_bounce'],
    ['failed', { severity: 'permanent', reason: 'suppress-complaint' }, 'complaint'],
    ['failed', { severity: 'temporary' }, 'soft_bounce'],
    ['complained', {}, 'complaint'],
    ['unsubscribed', {}, 'unsubscribe'],
    ['delivered', {}, 'delivered'],
  ] as const) {
    const { body } = signMailgun(event(name, overrides));
    const [parsed] = mailgunEvents.parse(body);
    t.match(parsed, { invitationId: '7', email: 'ada@example.com', type: expected, relayMessageId: 'm-1@mg.example.com' });
    t.equal(parsed?.eventId, JSON.parse(body.toString()).signature.token);
  }
});

t.test("Brevo's events, with our id if the message had it", async (t) => {
  const event = (name: string, overrides: object = { 'X-Mailin-custom': 'invitation:home0001-7' }) => ({
    event: name,
    email: 'ada@example.com',
    'message-id': '<b-1@example.com>',
    ts_epoch: NOW.getTime(),
    ...overrides,
  });
  for (const [name, expected] of Object.entries({
    hard_bounce: 'hard_bounce',
    invalid_email: 'hard_bounce',
    blocked: 'hard_bounce',
    soft_bounce: 'soft_bounce',
    deferred: 'soft_bounce',
    spam: 'complaint',
    unsubscribed: 'unsubscribe',
    delivered: 'delivered',
  }))
    t.match(parse(brevoEvents, event(name)), [{ ...common, type: expected, relayMessageId: '<b-1@example.com>' }], name);
  for (const overrides of [
    { 'X-Mailin-custom': 'home0001-7' },
    { 'X-Mailin-custom': 'invitation:7' },
    { 'X-Mailin-custom': 'order:home0001-7' },
    { 'X-Mailin-custom': null },
    { tags: ['home0001-7'] },
  ])
    t.match(parse(brevoEvents, event('spam', overrides)), [{ invitationId: undefined }], JSON.stringify(overrides));
});

t.test("SES's events as SNS sends them, in both formats, and without SNS's envelope", async (t) => {
  const file = new URL('../fixtures/relay/ses.events.json', import.meta.url);
  for (const { source, message, expect } of JSON.parse(readFileSync(file, 'utf8'))) {
    t.match(source, /^https:/, 'the source is named');
    t.match(parse(sesEvents, { Type: 'Notification', Message: JSON.stringify(message) }), [expect], source);
    t.match(parse(sesEvents, message), [expect], 'raw message delivery');
  }
  const event = (eventType: string, overrides: object = {}) => ({
    eventType,
    mail: { timestamp: AT, messageId: 's-1', destination: ['Ada <ada@example.com>'], tags: { invitation: ['home0001-7'] } },
    ...overrides,
  });
  for (const [sent, expected] of [
    [event('Bounce', { bounce: { bounceType: 'Transient' } }), 'soft_bounce'],
    [event('Bounce', { bounce: { bounceType: 'Undetermined' } }), 'soft_bounce'],
    [event('Complaint', { complaint: { complaintSubType: 'OnAccountSuppressionList' } }), 'complaint'],
    [event('Delivery', { delivery: {} }), 'delivered'],
    [event('DeliveryDelay', { deliveryDelay: { delayType: 'MailboxFull' } }), 'soft_bounce'],
    [event('Reject', { reject: { reason: 'Bad content' } }), 'soft_bounce'],
  ] as const)
    t.match(parse(sesEvents, sent), [{ ...common, type: expected, relayMessageId: 's-1' }], JSON.stringify(sent));
  const delayed = { delayType: 'MailboxFull', delayedRecipients: [{ diagnosticCode: 'smtp; 452 full' }] };
  t.match(parse(sesEvents, event('DeliveryDelay', { deliveryDelay: delayed })), [{ detail: 'smtp; 452 full' }]);
  for (const ignored of [
    event('Complaint', { complaint: { complaintFeedbackType: 'not-spam' } }),
    event('Open'),
    { Type: 'Notification', Message: 'Successfully validated SNS topic for Amazon SES event publishing.' },
    { Type: 'UnsubscribeConfirmation', SubscribeURL: 'https://sns.us-east-1.amazonaws.com/?Action=ConfirmSubscription' },
  ])
    t.same(parse(sesEvents, ignored), [], JSON.stringify(ignored));
});

t.test('only SNS is called to confirm a subscription', async (t) => {
  const asked = (SubscribeURL: unknown, Type = 'SubscriptionConfirmation') =>
    sesEvents.confirmation?.(bytes({ Type, SubscribeURL }))?.host;
  const query = '/?Action=ConfirmSubscription&TopicArn=arn:aws:sns:eu-west-1:123456789012:mails&Token=2336412f';
  for (const host of ['sns.eu-west-1.amazonaws.com', 'sns.cn-north-1.amazonaws.com.cn'])
    t.equal(asked(`https://${host}${query}`), host);
  const good = `https://sns.eu-west-1.amazonaws.com${query}`;
  for (const type of ['Notification', 'UnsubscribeConfirmation']) t.equal(asked(good, type), undefined, type);
  for (const address of [
    good.replace('https', 'http'),
    good.replace('.com', '.com:8443'),
    good.replace('.com', '.com.evil.example'),
    good.replace('.com', '.com@evil.example'),
    good.replace('sns.', 'evil.example/sns.'),
    good.replace('sns.', 's3.'),
    good.replace('sns.eu-west-1', 'sns'),
    good.replace('Confirm', 'Un'),
    'https://169.254.169.254/?Action=ConfirmSubscription',
    'not an address',
    undefined,
    7,
  ])
    t.equal(asked(address), undefined, String(address));
});

t.test("unknown events, and bodies that aren't events, are left out without an error", async (t) => {
  const known = { type: 'email.delivered', created_at: AT, data: { email_id: 'r-1' } };
  t.equal(parse(resendEvents, known).length, 1);
  for (const [name, source] of Object.entries(EVENT_SOURCES)) {
    for (const value of [
      null,
      7,
      'text',
      [],
      {},
      [null, 7, ['x']],
      { event: 'constructor' },
      { event: 'new.thing' },
      { type: 'toString' },
    ])
      t.same(parse(source, value), [], `${name} ${JSON.stringify(value)}`);
    t.throws(() => source.parse(Buffer.from('{')), SyntaxError, name);
  }
  for (const created_at of [undefined, null, '', 'tomorrow', 1e300, -1, '+275760-09-13T00:00:00Z'])
    t.same(parse(resendEvents, { ...known, created_at }), [], String(created_at));
});

t.test("nothing gets through that PostgreSQL can't store or that could be a tracked link", async (t) => {
  const [event] = parse(postmarkEvents, {
    RecordType: 'Bounce',
    Type: 'HardBounce',
    ID: 'x'.repeat(2000),
    MessageID: 'p\u0000-1',
    Email: `ada\u0000@example.com`,
    BouncedAt: AT,
    Metadata: { invitation: 'home0001-7; drop' },
    Details: `550 \ud83d \u0000\u202e https://i.example/u/wm0Zq3vTRZ2m0zP9cE1x-A ${'😀'.repeat(600)}`,
  });
  t.equal(event?.invitationId, undefined);
  t.ok((event?.eventId.length ?? 999) <= 200);
  t.equal(event?.relayMessageId, 'p -1');
  t.notMatch(JSON.stringify(event), /\\u0000|\\ud83d[^\\]|wm0Zq3|\u202e/);
  t.match(event?.detail, /^550 . {1,3}\(address removed\) 😀/u);
  t.ok([...(event?.detail ?? '')].length <= 500);
});
