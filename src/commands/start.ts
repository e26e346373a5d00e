// The commands that run the service.
import { setTimeout as delay } from 'node:timers/promises';
import type { Command } from 'commander';
import { misspelt } from '../check/misspelt.ts';
import { cellOf } from '../database/cell.ts';
import { requireUsableDatabase } from '../database/inspect.ts';
import { type MigrationPlan, migrate, planMigration, SCHEMA_VERSION } from '../database/migrate.ts';
import { OperatorError } from '../errors.ts';
import { NOT_READY } from '../http/error-answer.ts';
import { createLog } from '../log.ts';
import { logOutage } from '../outage.ts';
import { startServer } from '../server.ts';
import { type Context, openTarget, publicUrl } from './command.ts';
import { prepareSample, welcome } from './sample.ts';
import { ignoreLostConnections, startAll, startConfiguredMetrics, startConfiguredWorker, untilSignal } from './service.ts';

export function addServiceCommands(program: Command, { env, config: readConfig, print, isTerminal }: Context): void {
  program
    .command('start')
    .description('migrate, then run the server, a worker and (without RELAY) the development outbox')
    .option('--show-secrets', "print a secret and a sign-in link even if the output isn't a terminal")
    .action(async ({ showSecrets = isTerminal }: { showSecrets?: boolean }) => {
      const config = readConfig({ sends: true });
      const signal = untilSignal();
      const log = createLog(config.LOG_LEVEL);
      for (const text of misspelt(env)) log.warn(text);
      ignoreLostConnections(log);
      const target = await openTarget(config);
      try {
        await migrate(target.url, { recipientsPerHour: config.FLOOD_RECIPIENTS_PER_HOUR, cell: cellOf(config) });
        const sample = await prepareSample(
          target.url,
          config.DATABASE_URL === undefined ? config.DATA_DIR : undefined,
          showSecrets,
        );
        const metrics = await startConfiguredMetrics(config, target.url, log);
        try {
          const { server, outbox, stop } = await startAll(config, target.url, log, metrics.recorder);
          const base = config.PUBLIC_URL ?? server.url;
          print(
            { url: base, outbox: outbox?.url ?? null, metrics: metrics.url, pid: process.pid, sample: sample ?? null },
            welcome(base, outbox?.url, sample),
          );
          await signal;
          await stop();
        } finally {
          await metrics.close();
        }
      } finally {
        await target.close();
      }
    });

  program
    .command('serve')
    .description('run the HTTP server')
    .action(async () => {
      const config = readConfig();
      const signal = untilSignal(config.DRAIN_SECONDS);
      const log = createLog(config.LOG_LEVEL);
      for (const text of misspelt(env)) log.warn(text);
      ignoreLostConnections(log);
      const target = await openTarget(config);
      try {
        const reason = await requireUsableDatabase(target.url, 'serve');
        if (reason !== undefined) logOutage(log, reason, NOT_READY);
        const metrics = await startConfiguredMetrics(config, target.url, log);
        try {
          const server = await startServer(config, target.url, log, metrics.recorder);
          print({ url: server.url, metrics: metrics.url, pid: process.pid }, `Listening on ${server.url}`);
          await signal;
          server.drain();
          await delay(config.DRAIN_SECONDS * 1_000);
          await server.close();
        } finally {
          await metrics.close();
        }
      } finally {
        await target.close();
      }
    });

  program
    .command('work')
    .description('run a worker, which sends the emails')
    .action(async () => {
      const config = readConfig({ sends: true });
      if (config.RELAY === '') {
        throw new OperatorError(
          'RELAY is not set. Set it to the relay that sends your emails, or run `start` for the development outbox.',
        );
      }
      const signal = untilSignal();
      const log = createLog(config.LOG_LEVEL);
      for (const text of misspelt(env)) log.warn(text);
      ignoreLostConnections(log);
      const target = await openTarget(config);
      try {
        await requireUsableDatabase(target.url, 'work');
        const metrics = await startConfiguredMetrics(config, target.url, log);
        try {
          const { recorder } = metrics;
          const worker = startConfiguredWorker(config, target.url, publicUrl(config), log, { recorder });
          await Promise.race([worker.started, signal]);
          print({ relay: config.RELAY, metrics: metrics.url, pid: process.pid }, `Sending through ${config.RELAY}`);
          await signal;
          await worker.stop();
        } finally {
          await metrics.close();
        }
      } finally {
        await target.close();
      }
    });

  program
    .command('migrate')
    .description('bring the database to this version')
    .option('--plan', 'only say what would be done, and what it locks')
    .action(async ({ plan = false }: { plan?: boolean }) => {
      const config = readConfig();
      const target = await openTarget(config, { migrated: false });
      try {
        if (plan) {
          const planned = await planMigration(target.url);
          return print(planned, planInWords(planned));
        }
        const applied = await migrate(target.url, { recipientsPerHour: config.FLOOD_RECIPIENTS_PER_HOUR, cell: cellOf(config) });
        const done = applied.length === 0 ? 'nothing new' : applied.join(', ');
        print({ schema_version: SCHEMA_VERSION, applied }, `The schema is at version ${SCHEMA_VERSION} (${done}).`);
      } finally {
        await target.close();
      }
    });
}

/** The plan as people read it. */
export function planInWords({ current, target, migrations, transactions, definitions, drops }: MigrationPlan): string {
  const lines = [`The schema is at version ${current}, this code has ${target}.`];
  for (const { name, separate, statements } of migrations) {
    lines.push('', `${name}${separate ? ', by itself' : ''}:`);
    for (const { statement, lock, blocks, removes } of statements) {
      const waiting = { nothing: 'nobody waits', unknown: 'read it: its locks are not known' };
      const who = blocks in waiting ? waiting[blocks as keyof typeof waiting] : `${blocks} of ${lock?.table} wait`;
      const fails = removes ? '; processes that still use it fail' : '';
      lines.push(`  ${statement}`, `    ${lock === null ? '' : `${lock.mode}: `}${who}${fails}`);
    }
  }
  lines.push('', `Changed functions, triggers and views: ${definitions.map(({ name }) => name).join(', ') || 'none'}.`);
  if (drops.length > 0) lines.push('', 'Dropped, because this version has none such:');
  for (const { kind, name, replaced } of drops) {
    const effect = replaced ? 'another of this name takes its place' : 'calls of it fail afterwards';
    lines.push(`  ${kind} ${name}${kind === 'trigger' ? '' : `: ${effect}`}`);
  }
  const together = transactions === 1 ? 'does all this in one transaction' : `does this in ${transactions} transactions`;
  return [...lines, '', `Nothing was done. migrate ${together}, waits for a lock for half a second, and tries again later.`].join(
    '\n',
  );
}
