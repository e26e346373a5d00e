// The commands that run the service: start, serve, work, migrate.
import type { Command } from 'commander';
import type { Config } from '../config.ts';
import { openDatabase } from '../database.ts';
import { OperatorError } from '../errors.ts';
import { createFunctions } from '../functions.ts';
import { startServer } from '../http/server.ts';
import { createLog, type Log } from '../log.ts';
import { migrate, SCHEMA_VERSION } from '../migrate.ts';
import { startOutbox } from '../outbox.ts';
import { ADAPTERS } from '../relay/adapters.ts';
import { createSender } from '../relay/sender.ts';
import { createSecret } from '../secret.ts';
import { startWorker, type Worker } from '../worker.ts';
import { addCommand, openTarget } from './command.ts';
import { publicUrl } from './manage.ts';

/** Starts a worker as the settings say. @param relayUrl Overrides RELAY_URL: the development outbox. */
export function startConfiguredWorker(config: Config, databaseUrl: string, base: string, log: Log, relayUrl?: string): Worker {
  const sender = createSender({
    adapter: ADAPTERS[config.RELAY || 'mailpit'],
    url: relayUrl ?? config.RELAY_URL,
    apiKey: config.RELAY_API_KEY,
    connections: config.RELAY_CONCURRENCY,
    timeoutSeconds: config.RELAY_TIMEOUT_SECONDS,
  });
  const worker = startWorker({
    databaseUrl,
    databasePool: config.DATABASE_POOL,
    sender,
    render: { publicUrl: base, from: config.MAIL_FROM },
    relayConcurrency: config.RELAY_CONCURRENCY,
    concurrency: config.WORKER_CONCURRENCY,
    log,
  });
  return {
    started: worker.started,
    async stop() {
      await worker.stop();
      await sender.close();
    },
  };
}

/** Server, worker and, unless RELAY is set, the development outbox, all in this process. */
export async function startAll(config: Config, databaseUrl: string, log: Log) {
  const stops: (() => Promise<void>)[] = [];
  const stop = async () => {
    for (const one of stops.splice(0).reverse()) await one();
  };
  try {
    const outbox = config.RELAY === '' ? await startOutbox(config.DATA_DIR, config.OUTBOX_PORT) : undefined;
    if (outbox !== undefined) stops.push(outbox.close);
    const server = await startServer(config, databaseUrl, log);
    const worker = startConfiguredWorker(config, databaseUrl, config.PUBLIC_URL ?? server.url, log, outbox?.url);
    // Stopped in the other order: no new requests, then the mails under way, then what takes them.
    stops.push(worker.stop, server.close);
    await worker.started;
    return { server, outbox, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Resolves at the first SIGINT or SIGTERM; a second one ends the process at once. */
export function untilSignal(): Promise<void> {
  return new Promise((resolve) => {
    let signals = 0;
    const onSignal = () => {
      signals += 1;
      if (signals === 1) resolve();
      else process.exit(130);
    };
    process.on('SIGINT', onSignal);
    process.on('SIGTERM', onSignal);
  });
}

export function addRunCommands(program: Command): void {
  addCommand(
    program,
    'start',
    'migrate, then run server, worker and (without RELAY) the development outbox',
    {},
    async ({ config, print }) => {
      const signal = untilSignal();
      const log = createLog(config.LOG_LEVEL);
      const target = await openTarget(config);
      try {
        await migrate(target.url);
        const sample = await createSample(target.url);
        const { server, outbox, stop } = await startAll(config, target.url, log);
        const base = config.PUBLIC_URL ?? server.url;
        print(
          { url: base, outbox: outbox?.url ?? null, pid: process.pid, sample: sample ?? null },
          welcome(base, outbox?.url, sample),
        );
        await signal;
        await stop();
      } finally {
        await target.close();
      }
    },
  );

  addCommand(program, 'serve', 'run the HTTP server', {}, async ({ config, print }) => {
    const signal = untilSignal();
    const target = await openTarget(config);
    try {
      const server = await startServer(config, target.url, createLog(config.LOG_LEVEL));
      print({ url: server.url, pid: process.pid }, `Listening on ${server.url}`);
      await signal;
      await server.close();
    } finally {
      await target.close();
    }
  });

  addCommand(program, 'work', 'run a worker: it sends the mails', {}, async ({ config, print }) => {
    if (config.RELAY === '') {
      throw new OperatorError('RELAY is not set: name the relay that mails leave by, or run `start` for the development outbox.');
    }
    const signal = untilSignal();
    const target = await openTarget(config);
    try {
      const worker = startConfiguredWorker(config, target.url, publicUrl(config), createLog(config.LOG_LEVEL));
      await Promise.race([worker.started, signal]);
      print({ relay: config.RELAY, pid: process.pid }, `Sending by ${config.RELAY}`);
      await signal;
      await worker.stop();
    } finally {
      await target.close();
    }
  });

  addCommand(program, 'migrate', 'bring the database to this version', {}, async ({ config, print }) => {
    const target = await openTarget(config);
    try {
      const applied = await migrate(target.url);
      const done = applied.length === 0 ? 'nothing new' : applied.join(', ');
      print({ schema_version: SCHEMA_VERSION, applied }, `The schema has version ${SCHEMA_VERSION} (${done}).`);
    } finally {
      await target.close();
    }
  });
}

export interface Sample {
  readonly workspace: string;
  readonly survey: string;
  readonly secret: string;
}

/** A workspace, an active survey and a token to try things with, if the database has no workspace at all. */
async function createSample(databaseUrl: string): Promise<Sample | undefined> {
  const sql = openDatabase(databaseUrl, { applicationName: 'invitation-trigger cli' });
  try {
    const functions = createFunctions(sql);
    const { length } = await functions.listWorkspaces();
    if (length > 0) return undefined;
    const workspace = await functions.upsertWorkspace({ name: 'Example workspace' });
    const survey = await functions.upsertSurvey({ workspaceId: workspace, title: 'Customer survey', state: 'active' });
    const { secret, hash, hint } = createSecret();
    await functions.createTriggerToken({
      surveyId: survey,
      name: 'Example token',
      secretHash: hash,
      secretHint: hint,
      cooldownSeconds: 5,
    });
    return { workspace, survey, secret };
  } finally {
    await sql.end();
  }
}

function welcome(base: string, outbox: string | undefined, sample: Sample | undefined): string {
  const lines = [`Service:  ${base}`, `Outbox:   ${outbox ?? '(none: mails leave by the relay)'}`];
  if (sample === undefined) {
    lines.push('', 'For a trigger token: invitation-trigger survey list, then token create --survey ID --name NAME');
  } else {
    lines.push(
      `Survey:   ${base}/s/${sample.survey}`,
      `Secret:   ${sample.secret}   (shown this once)`,
      '',
      'Paste this to invite somebody:',
      '',
      curlLine(base, sample.secret),
    );
  }
  return [...lines, '', 'Ctrl-C stops it.'].join('\n');
}

const curlLine = (base: string, secret: string): string =>
  [
    `curl -sS ${base}/api/invitation-trigger \\`,
    `  -H 'Authorization: Bearer ${secret}' \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d '{"email": "ada@example.com", "name": "Ada", "metadata": {"order_id": "A-1001"}}'`,
  ].join('\n');
