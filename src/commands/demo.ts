// Runs the main job from a request to Results, with a real server and worker. Exits with 1 if a step fails.
import { setTimeout as delay } from 'node:timers/promises';
import type { Command } from 'commander';
import { migrate } from '../database/migrate.ts';
import { openDatabase } from '../database/pool.ts';
import { createStore, type Store } from '../database/store.ts';
import { type OutboxEmail, readOutbox } from '../dev/outbox.ts';
import { OperatorError } from '../errors.ts';
import { createLog } from '../log.ts';
import { createSecret } from '../secret.ts';
import { type Context, openTarget } from './command.ts';
import { startAll } from './service.ts';

const EMAIL_DEADLINE_MS = 60_000;
const METADATA = { order_id: 'A-1001', plan: 'enterprise' };

export function addDemoCommand(program: Command, { env, config: readConfig, print }: Context): void {
  program
    .command('demo')
    .description('run everything once, from a request to the Results, and show each step')
    .action(async () => {
      const given = readConfig();
      // Use free ports unless ports are set, so that the demo can run beside other services.
      const config = {
        ...given,
        PORT: env.PORT ? given.PORT : 0,
        OUTBOX_PORT: env.OUTBOX_PORT ? given.OUTBOX_PORT : 0,
        LOG_LEVEL: env.LOG_LEVEL ? given.LOG_LEVEL : 'warn',
        RELAY: '' as const,
      };
      const report = createReport();
      let step = 'start PostgreSQL';
      const target = await openTarget(config);
      const sql = openDatabase(target.url, { applicationName: 'invitation-trigger demo' });
      let stop = async () => {};
      try {
        step = 'migrate';
        await migrate(target.url);
        const store = createStore(sql);

        step = 'create a workspace, a survey and a token';
        const prepared = await prepare(store);
        report.say('Created', { workspace: prepared.workspace, survey: prepared.survey, token: prepared.token });

        step = 'start the server, the worker and the outbox';
        const all = await startAll(config, target.url, createLog(config.LOG_LEVEL));
        stop = all.stop;
        const base = config.PUBLIC_URL ?? all.server.url;

        step = 'send the trigger request';
        const body = { email: 'ada@example.com', name: 'Ada Lovelace', metadata: METADATA };
        report.say('Request', `POST ${base}/api/invitation-trigger`, 'Authorization: Bearer sit_…', body);
        const batch = await trigger(all.server.url, prepared.secret, body);
        report.say('HTTP response', batch);

        step = 'receive the email';
        const email = await waitForEmail(config.DATA_DIR, batch.batch.uuid);
        report.say('Email', `From: ${email.from}`, `To: ${email.to}`, `Subject: ${email.subject}`, '', email.text);
        report.say('Saved as', email.file);

        step = 'open the tracked link';
        const link = /^https?:\S+invitation=\S+$/m.exec(email.text)?.[0];
        if (link === undefined) throw new Error('the email has no tracked link');
        const title = await openLink(link);
        report.say('Opened the tracked link', title);

        step = 'submit a response';
        await respond(link);
        report.say('Submitted', { score: 9, comment: 'Quick and friendly.' });

        step = 'find the response in the Results';
        const [result] = await store.listResults(prepared.survey, 1);
        if (JSON.stringify(sorted(result?.metadata)) !== JSON.stringify(sorted(METADATA))) {
          throw new Error('the Results do not show the metadata');
        }
        report.say('Results', result);
      } catch (error) {
        throw new OperatorError(`The demo failed at: ${step}. ${(error as Error).message}`, { cause: error });
      } finally {
        await stop();
        await sql.end({ timeout: 5 });
        await target.close();
      }
      print(report.steps, `${report.text()}\n\nDone: from the request to the Results.`);
    });
}

function createReport() {
  const steps: { step: string; shown: unknown[] }[] = [];
  return {
    steps,
    say: (step: string, ...shown: unknown[]) => steps.push({ step, shown }),
    text: () =>
      steps
        .map(({ step, shown }) => {
          const lines = shown.map((part) => (typeof part === 'string' ? part : JSON.stringify(part, null, 2))).join('\n');
          return `── ${step}\n${lines.replace(/^/gm, '   ')}`;
        })
        .join('\n\n'),
  };
}

const sorted = (object: unknown) => Object.entries(object ?? {}).sort();

async function prepare(store: Store) {
  const workspace = await store.upsertWorkspace({ name: 'Demo workspace' });
  const survey = await store.upsertSurvey({ workspaceId: workspace, title: 'How was your order?', state: 'active' });
  const { secret, hash, hint } = createSecret(await store.homeOf(workspace));
  const token = await store.createTriggerToken({ surveyId: survey, name: 'Demo token', secretHash: hash, secretHint: hint });
  return { workspace, survey, token, secret };
}

async function trigger(url: string, secret: string, body: object): Promise<{ batch: { uuid: string } }> {
  const response = await fetch(`${url}/api/invitation-trigger`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const result = await response.json();
  if (response.status !== 200) throw new Error(`the endpoint responded with ${response.status}: ${JSON.stringify(result)}`);
  return result as { batch: { uuid: string } };
}

async function waitForEmail(dataDir: string, batchId: string): Promise<OutboxEmail> {
  const deadline = Date.now() + EMAIL_DEADLINE_MS;
  while (Date.now() < deadline) {
    const email = readOutbox(dataDir).find(({ headers }) => headers['Message-ID']?.includes(batchId));
    if (email !== undefined) return email;
    await delay(50);
  }
  throw new Error(`no email came within ${EMAIL_DEADLINE_MS / 1000} s`);
}

async function openLink(link: string): Promise<string> {
  const response = await fetch(link);
  const text = await response.text();
  if (response.status !== 200 || !text.includes('<form')) throw new Error(`the survey page responded with ${response.status}`);
  return /<title>(.*)<\/title>/.exec(text)?.[1] ?? '';
}

async function respond(link: string): Promise<void> {
  const address = new URL(link);
  const form = new URLSearchParams({
    invitation: address.searchParams.get('invitation') ?? '',
    'answer.score': '9',
    'answer.comment': 'Quick and friendly.',
  });
  const response = await fetch(address.origin + address.pathname, { method: 'POST', body: form });
  const text = await response.text();
  if (response.status !== 200 || !text.includes('Thank you'))
    throw new Error(`the survey page responded with ${response.status}`);
}
