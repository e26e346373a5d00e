// CHAOS=neighbors: one workspace sends 9,000 emails, one has its content rejected, and one sends the largest messages. Meanwhile a fourth
// workspace's single invitations must leave within 3 seconds and sign-in emails within 2. All 9,000 emails must leave as well. Then one
// workspace takes as much as it can of all that is shared (hostile.ts).
import { setTimeout as delay } from 'node:timers/promises';
import { fitsEmail } from '../../src/mail/size.ts';
import { SECRET_KEYS } from '../fixtures/webhooks.ts';
import {
  createTrigger,
  drained,
  end,
  freePort,
  openChaos,
  postTrigger,
  relaySettings,
  startProgram,
  summary,
} from './harness.ts';
import { hostile } from './hostile.ts';
import { startRelay } from './relay.ts';

const EMAILS = 9_000;
const REJECTED = 3_000;
const LARGE = 1_000;
const SINGLE_WITHIN_MS = 3_000;
const SIGN_IN_WITHIN_MS = 2_000;
const EVERY_MS = 250;
const DONE_WITHIN_MS = 180_000;

export async function neighbors(): Promise<number> {
  const chaos = await openChaos('chaos_neighbors');
  const { sql, store, url, close } = chaos;
  const arrived = new Map<string, number>();
  const relay = await startRelay({
    delayMs: 40,
    rejects: ({ subject }) => subject === 'Rejected',
    onEmail: (address) => arrived.set(address, performance.now()),
  });
  const port = await freePort();
  const env = {
    DATABASE_URL: url,
    ...relaySettings(relay.url),
    PORT: port,
    WEBHOOK_ALLOW: '127.0.0.1/32',
    SECRET_KEYS,
    TRUST_PROXY: '1',
  };
  const programs = [
    await startProgram('serve', { ...env, FLOOD_RECIPIENTS_PER_HOUR: '100000000', FLOOD_REQUESTS_PER_MINUTE: '300' }),
    await startProgram('work', env),
  ];
  const [crowd, rejected, large, single] = [
    await createTrigger(store),
    await createTrigger(store),
    await createTrigger(store),
    await createTrigger(store),
  ];

  /** Sends requests of 1,000 recipients each. */
  const send = async (secret: string, name: string, emails: number, fields: object = {}) => {
    for (let sent = 0; sent < emails; sent += 1000) {
      const people = Array.from({ length: Math.min(1000, emails - sent) }, (_, index) => `${name}${sent + index}@example.com`);
      const [status] = await postTrigger(port, secret, { emails: people, ...fields });
      if (status !== 200) throw new Error(`the requests of ${name} were answered ${status}`);
    }
  };
  const startedAt = performance.now();
  const filled = Promise.all([
    send(crowd.secret, 'crowd', EMAILS),
    send(rejected.secret, 'rejected', REJECTED, { subject: 'Rejected' }),
    send(large.secret, 'large', LARGE, { message: largestMessage() }),
  ]);

  const asked = new Map<string, number>();
  const probes: Promise<unknown>[] = [filled];
  let paused = 0;
  const crowdLeft = () => EMAILS - [...arrived.keys()].filter((address) => address.startsWith('crowd')).length;
  for (let probe = 0; crowdLeft() > 0 && performance.now() - startedAt < DONE_WITHIN_MS; probe += 1) {
    const recipient = `single${probe}@example.com`;
    const member = `member${probe}@example.com`;
    await store.upsertMember(single.workspace, member, 'viewer');
    for (const address of [recipient, member]) asked.set(address, performance.now());
    // A postgres.js query starts only when it is awaited, so Promise.resolve starts it here.
    probes.push(
      postTrigger(port, single.secret, { email: recipient }),
      Promise.resolve(store.console.requestSignInLink(member, undefined)),
    );
    const [health] = await sql`select from invite.relays where paused_until is not null`;
    if (health !== undefined) paused += 1;
    await delay(EVERY_MS);
  }
  const crowdSeconds = (performance.now() - startedAt) / 1000;
  await Promise.all(probes);
  const settled = await drained(sql, DONE_WITHIN_MS);
  // drained() covers invitations only, so this waits for the sign-in emails.
  for (let waited = 0; waited < 5_000 && [...asked.keys()].some((address) => !arrived.has(address)); waited += 50)
    await delay(50);

  const lateness = (name: string) =>
    [...asked].filter(([address]) => address.startsWith(name)).map(([address, at]) => (arrived.get(address) ?? Infinity) - at);
  const singles = lateness('single');
  const signIns = lateness('member');
  const [codes] = await sql`
    select
      count(*) filter (where last_error_code = 'content_rejected')::integer as stopped,
      count(*) filter (where status = 'failed' and last_error_code <> 'content_rejected')::integer as rejected,
      count(*) filter (where status = 'sent')::integer as sent
    from invite.messages`;
  const missing = EMAILS + LARGE + singles.length - codes?.sent;
  const late = singles.filter((ms) => ms > SINGLE_WITHIN_MS).length + signIns.filter((ms) => ms > SIGN_IN_WITHIN_MS).length;
  console.log(
    `beside ${EMAILS} emails of one workspace (done after ${crowdSeconds.toFixed(0)} s), ${REJECTED} with rejected content ` +
      `(${codes?.rejected} asked, ${codes?.stopped} not tried) and ${LARGE} of the largest: ` +
      `${singles.length} single invitations left after ${summary(singles)}, ${signIns.length} sign-in emails after ${summary(signIns)}; ` +
      `${late} too late, ${missing} missing, the relay paused ${paused} times; ${settled ? 'all settled' : 'NOT SETTLED'}`,
  );
  const exceeded = await hostile({ chaos, port, arrived });
  for (const program of programs) await end(program, 'SIGTERM');
  relay.close();
  await close();
  return late + Math.abs(missing) + paused + (settled ? 0 : 1) + exceeded;
}

/** Returns the largest message that the trigger accepts. */
function largestMessage(): string {
  const line = 'How was it? "Very good", <b>good</b> & so on: {{survey_link}}\n\n';
  let lines = 1;
  while (fitsEmail(line.repeat(lines + 1))) lines += 1;
  let message = line.repeat(lines);
  while (message.length < 65_000 && fitsEmail(`${message}${'"'.repeat(500)}`)) message += '"'.repeat(500);
  return message;
}
