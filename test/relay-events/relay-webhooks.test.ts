// Each relay's webhook over HTTP: a hard bounce suppresses the recipient once, and a request without valid credentials can't report one.
// For SES, the confirmation by SNS is tested too.
import t, { type Test } from 'tap';
import { createLog, type Log } from '../../src/log.ts';
import { homeOf } from '../../src/mail/links.ts';
import { startTestServer } from '../fixtures/http.ts';
import { idsOf } from '../fixtures/inspect.ts';
import { bytes, EVENT_SOURCES, type Signed, signer } from '../fixtures/relay-events.ts';
import { createBatch, createTestDatabase, createWorker, silent } from '../fixtures/setup.ts';

const { sql, store, urlAs } = await createTestDatabase(t);
const now = new Date();
const seconds = Math.floor(now.getTime() / 1000);
const at = now.toISOString();
const { signResend, signPostmark, signSendgrid, signMailgun, signBrevo, signSes } = signer(seconds);
const email = 'ada@example.com';

/** A signed hard bounce of an invitation from each relay. */
const BOUNCES: Record<string, (invitation: string) => Signed> = {
  resend: (invitation) =>
    signResend(
      bytes({ type: 'email.bounced', created_at: at, data: { email_id: 'r', to: [email], tags: { invitation }, bounce: {} } }),
    ),
  postmark: (invitation) =>
    signPostmark(
      bytes({ RecordType: 'Bounce', ID: 42, Type: 'HardBounce', Email: email, BouncedAt: at, Metadata: { invitation } }),
    ),
  sendgrid: (invitation) =>
    signSendgrid(bytes([{ event: 'bounce', type: 'bounce', sg_event_id: 'e', email, timestamp: seconds, invitation }])),
  mailgun: (invitation) =>
    signMailgun({
      event: 'failed',
      severity: 'permanent',
      timestamp: seconds,
      recipient: email,
      'user-variables': { invitation },
    }),
  brevo: (invitation) =>
    signBrevo(bytes({ event: 'hard_bounce', email, ts_epoch: now.getTime(), 'X-Mailin-custom': `invitation:${invitation}` })),
  ses: (invitation) => {
    const mail = { messageId: 's', destination: [email], tags: { invitation: [invitation] } };
    const event = { eventType: 'Bounce', bounce: { bounceType: 'Permanent', timestamp: at, feedbackId: 'f' }, mail };
    return signSes(bytes({ Type: 'Notification', Message: JSON.stringify(event) }));
  },
};

async function start(t: Test, relay: string, secret: string, log: Log) {
  const { url } = await startTestServer(
    t,
    urlAs('invite_web'),
    {
      RELAY: relay,
      RELAY_URL: 'https://email.eu-west-1.amazonaws.com',
      RELAY_API_KEY: 'key:secret',
      PUBLIC_URL: 'https://i.example',
      MAIL_FROM: 'a@i.example',
      RELAY_EVENTS_SECRET: secret,
    },
    log,
  );
  return async ({ body, headers }: Pick<Signed, 'body' | 'headers'>) => {
    const all = { 'content-type': 'text/plain; charset=UTF-8', ...(headers as Record<string, string>) };
    const response = await fetch(`${url}/relay-events/${relay}`, { method: 'POST', headers: all, body: new Uint8Array(body) });
    const asked = response.headers.get('www-authenticate');
    return { status: response.status, asked, body: (await response.json()) as Record<string, unknown> };
  };
}

t.test('every webhook is here', async (t) => t.same(Object.keys(BOUNCES).sort(), Object.keys(EVENT_SOURCES).sort()));

for (const [relay, bounceOf] of Object.entries(BOUNCES)) {
  t.test(`${relay}: a hard bounce suppresses the address, once; with another secret it is rejected`, async (t) => {
    const { survey, workspace } = await createBatch(store);
    const [claimed] = await store.claimInvitations(await idsOf(sql, survey), await createWorker(store));
    const { id = '', claimId = '' } = claimed ?? {};
    await store.settleInvitations([{ id, claim_id: claimId, outcome: 'accepted' }]);
    const suppressed = () => sql`select email, reason from invite.suppressions where workspace_id = ${workspace}`;

    const named = `${homeOf(claimed?.linkToken ?? '')}-${id}`;
    const signed = bounceOf(named);
    const lines: string[] = [];
    const report = await start(t, relay, signed.secret, createLog('debug', { write: (line) => void lines.push(line) }));
    const rejected = await report(bounceOf(named));
    t.equal(rejected.status, 401);
    t.equal(rejected.asked, signed.headers.authorization === undefined ? null : 'Basic realm="relay events"');
    t.same([...(await suppressed())], []);
    t.match(await report(signed), { status: 200, body: { events: 1, recorded: 1 } });
    t.match(await report(signed), { status: 200, body: { events: 1, recorded: 0 } });
    t.same([...(await suppressed())], [{ email, reason: 'hard_bounce' }]);
    t.match(lines.join(''), `"type":"hard_bounce","invitations":["${id}"],"msg":"relay events"`);
    t.notMatch(lines.join(''), email);
  });
}

t.test("mailgun: the signature of an event that isn't used can't be used for a forged one", async (t) => {
  const { survey, workspace } = await createBatch(store);
  const [id] = await idsOf(sql, survey);
  const signed = signMailgun({ event: 'opened', timestamp: seconds, recipient: email });
  const report = await start(t, 'mailgun', signed.secret, silent);
  t.match(await report(signed), { status: 200, body: { recorded: 1 } });
  const { signature } = JSON.parse(signed.body.toString());
  const forged = {
    event: 'complained',
    timestamp: seconds,
    recipient: email,
    'user-variables': { invitation: `home0001-${id}` },
  };
  t.match(await report({ ...signed, body: bytes({ signature, 'event-data': forged }) }), { status: 200, body: { recorded: 0 } });
  t.same([...(await sql`select from invite.suppressions where workspace_id = ${workspace}`)], []);
  const stored = await sql`select type, email, invitation_id from invite.relay_events where event_id = ${signature.token}`;
  t.match(stored, [{ type: null, email: null, invitation_id: null }], 'nothing but its id is kept');
  t.equal(await store.matchRelayEvents(), 0);
});

t.test('a secret of another form than the relay has is refused at the start, and not repeated', async (t) => {
  const wrong: Record<string, string[]> = {
    resend: ['user:password-of-mine', 'whsec_short-short', 'not-a-signing-secret'],
    postmark: ['a-token-without-user', ':password-of-mine'],
    sendgrid: ['user:password-of-mine', 'AAAABBBBCCCCDDDD', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    mailgun: ['user:password-of-mine', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    brevo: ['a token with spaces in it', ':password-of-mine'],
    ses: ['a-token-without-user'],
  };
  t.same(Object.keys(wrong).sort(), Object.keys(EVENT_SOURCES).sort());
  for (const [relay, secrets] of Object.entries(wrong)) {
    for (const secret of secrets) {
      const error = await start(t, relay, secret, silent).then(
        () => undefined,
        (refused: Error) => refused,
      );
      t.match(
        error,
        { name: 'ConfigError', message: new RegExp(`^RELAY_EVENTS_SECRET must be .*RELAY=${relay}`) },
        `${relay} ${secret}`,
      );
      t.notOk(error?.message.includes(secret));
    }
  }
});

t.test('ses: SNS is asked for its credentials, its subscription is confirmed, and the token is not logged', async (t) => {
  const address = 'https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&Token=2336412f37fb687f5d51e6e2425ba1f2';
  const signed = signSes(
    bytes({ Type: 'SubscriptionConfirmation', SubscribeURL: address, Token: '2336412f37fb687f5d51e6e2425ba1f2' }),
  );
  const lines: string[] = [];
  const report = await start(t, 'ses', signed.secret, createLog('debug', { write: (line) => void lines.push(line) }));
  const real = globalThis.fetch;
  const called: string[] = [];
  let answer = () => Promise.resolve(new Response('<ConfirmSubscriptionResponse/>'));
  globalThis.fetch = (input, init) => {
    if (!String(input).includes('amazonaws')) return real(input, init);
    called.push(String(input));
    return answer();
  };
  t.teardown(() => {
    globalThis.fetch = real;
  });

  t.match(await report({ ...signed, headers: {} }), { status: 401, asked: 'Basic realm="relay events"' });
  t.notMatch(lines.join(''), '"level":40', 'that SNS has to be asked is not worth a warning');
  t.match(await report(signSes(signed.body)), { status: 401 });
  t.match(lines.join(''), '"level":40', 'but wrong credentials are');
  t.same(called, [], 'nothing is called for somebody else');

  t.match(await report(signed), { status: 200, body: { events: 0 } });
  t.same(called, [address]);
  for (const failing of [
    () => Promise.reject(new TypeError(address)),
    () => Promise.resolve(new Response('', { status: 500 })),
  ]) {
    answer = failing;
    t.match(await report(signed), { status: 503 }, 'SNS asks again');
  }
  t.match(lines.join(''), 'confirmed the subscription');
  t.notMatch(lines.join(''), '2336412f');
});
