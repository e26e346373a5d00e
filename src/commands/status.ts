// status: what is going on now, and whether somebody must act.
import { setTimeout as delay } from 'node:timers/promises';
import { type Command, CommanderError } from 'commander';
import type { Status } from '../database/store.ts';
import { EXIT_CODES } from '../errors.ts';
import { formatNumber, formatUtc, plural } from '../text.ts';
import type { Context } from './command.ts';

const EVERY_MS = 5_000;
/** What is due for longer is too late, whatever the reason. */
const LATE_SECONDS = 300;

export function addStatusCommand(program: Command, { print, withStore }: Context): void {
  program
    .command('status')
    .description('show what is accepted, sent and waiting now, and whether somebody must act; then it exits with 7')
    .option('--watch', 'show it again every five seconds')
    .action(async ({ watch = false }: { watch?: boolean }) => {
      await withStore(async (store) => {
        for (;;) {
          const status = await store.readStatus();
          const now = new Date();
          const acts = actsIn(status, now);
          print({ ok: acts.length === 0, act: acts, at: now.toISOString(), ...status }, inWords(status, acts, now));
          if (!watch && acts.length > 0) throw new CommanderError(EXIT_CODES.attention, 'status', '');
          if (!watch) return;
          await delay(EVERY_MS);
        }
      });
    });
}

/** What somebody must look at, each as a sentence that says where. */
export function actsIn({ notWritable, unsent, relays, pauses, workers, jobs, broken, webhooks }: Status, now: Date): string[] {
  const running = workers.filter(({ isRunning }) => isRunning).length;
  const late = unsent.filter(
    ({ unsentReason, oldestDueAt }) =>
      unsentReason !== 'held' && running > 0 && now.getTime() - oldestDueAt.getTime() > LATE_SECONDS * 1000,
  );
  const isPaused = relays.some(({ condition }) => condition !== 'healthy');
  return [
    ...(notWritable == null ? [] : [`The database takes no writes (${notWritable.code}): ${notWritable.reason}.`]),
    ...(running === 0 ? ['No worker is running: no email leaves. Start one.'] : []),
    ...relays
      .filter(({ condition }) => condition === 'fault')
      .map(
        ({ relay, code, since }) =>
          `Nothing gets through the relay ${relay}${code === null ? '' : ` (${code})`}${since === null ? '' : ` since ${formatUtc(since)} UTC`}.`,
      ),
    ...(isPaused
      ? []
      : late.map(
          ({ unsentReason, emails, oldestDueAt }) =>
            `${plural(emails, 'email')} (${unsentReason}), due since ${formatUtc(oldestDueAt)} UTC, ${emails === 1 ? 'has' : 'have'} not left.`,
        )),
    ...(running === 0
      ? []
      : broken.map(({ code, emails }) => `${formatNumber(emails)} stuck (${code}): see the view broken_invariants.`)),
    ...jobs
      .filter(({ state }) => state === 'gave_up')
      .map(({ task, jobs }) => `${plural(jobs, 'job')} of ${task} gave up: see the view failing_jobs.`),
    ...pauses
      .filter(({ scope }) => scope === 'guard')
      .map(({ id }) => `The guard holds the email of workspace ${id}: see invitation-trigger guard show ${id}.`),
    ...(webhooks.failing > 0 ? [`${plural(webhooks.failing, 'webhook endpoint')} failing: see the view webhook_overview.`] : []),
  ];
}

/** How long ago, in the largest unit that is not zero. */
function ago(at: Date, now: Date): string {
  const seconds = Math.max(0, Math.round((now.getTime() - at.getTime()) / 1000));
  if (seconds < 120) return plural(seconds, 'second');
  if (seconds < 7200) return plural(Math.round(seconds / 60), 'minute');
  if (seconds < 172_800) return plural(Math.round(seconds / 3600), 'hour');
  return plural(Math.round(seconds / 86_400), 'day');
}

/** Which emails a cap counts. */
const whichOf = ({ scope, domain, workspaceId }: Status['caps'][number]): string =>
  `${scope === 'workspace' ? '' : `${scope === 'sender' ? 'from' : 'to'} ${domain} `}of ${workspaceId === null ? 'all workspaces' : `workspace ${workspaceId}`}`;

function inWords(status: Status, acts: readonly string[], now: Date): string {
  const { recent, unsent, relays, pauses, caps, workers, jobs, webhooks } = status;
  const [minute, hour] = [60, 3600].map((seconds) => recent.find((one) => one.seconds === seconds));
  const both = (read: (one: Status['recent'][number]) => string) =>
    `${minute === undefined ? '' : read(minute)} in the last minute, ${hour === undefined ? '' : read(hour)} in the last hour`;
  const running = workers.filter(({ isRunning }) => isRunning);
  const failing = jobs.reduce((sum, { jobs }) => sum + jobs, 0);
  const lines: (readonly [string, string])[] = [
    ['Accepted', both(({ requests, recipients }) => `${plural(requests, 'request')} (${plural(recipients, 'recipient')})`)],
    ['Sent', both(({ sent, failed }) => `${plural(sent, 'email')}${failed > 0 ? ` (${formatNumber(failed)} failed)` : ''}`)],
    ...(unsent.length === 0
      ? [['Unsent', 'nothing is due'] as const]
      : unsent.map(
          ({ unsentReason, holdReason, emails, oldestDueAt }) =>
            [
              'Unsent',
              `${plural(emails, 'email')}: ${holdReason ?? unsentReason}, the oldest due ${ago(oldestDueAt, now)} ago`,
            ] as const,
        )),
    ...(relays.length === 0
      ? [['Relay', 'takes email'] as const]
      : relays.map(({ relay, condition, pausedUntil, code, detail }) => {
          const until = pausedUntil !== null && pausedUntil > now ? `, paused until ${formatUtc(pausedUntil)} UTC` : '';
          const why = code === null ? '' : `, ${code}${detail === null ? '' : `: ${detail}`}`;
          return ['Relay', `${relay}: ${condition}${until}${condition === 'healthy' ? '' : why}`] as const;
        })),
    ...pauses.map(
      ({ scope, id, pausedAt, pausedBy }) =>
        [
          'Paused',
          `${scope}${id === null ? '' : ` ${id}`}, for ${ago(pausedAt, now)}${pausedBy === null ? '' : `, by ${pausedBy}`}`,
        ] as const,
    ),
    ...caps.map(
      (cap) => ['Limits', `${plural(cap.emails, 'email')} ${whichOf(cap)}, until ${formatUtc(cap.until)} UTC at most`] as const,
    ),
    [
      'Workers',
      workers.length === running.length
        ? `${formatNumber(running.length)} running`
        : `${formatNumber(running.length)} of ${formatNumber(workers.length)} running`,
    ],
    ...running.map(
      ({ hostname, pid, startedAt, sending }) =>
        ['', `${hostname} ${pid}, for ${ago(startedAt, now)}, sending ${formatNumber(sending)}`] as const,
    ),
    [
      'Jobs',
      failing === 0
        ? 'none failing'
        : jobs.map(({ task, state, jobs, lastError }) => `${formatNumber(jobs)} ${task} ${state}: ${lastError}`).join('; '),
    ],
    [
      'Webhooks',
      `${plural(webhooks.endpoints, 'endpoint')}, ${formatNumber(webhooks.failing)} failing, ${formatNumber(webhooks.paused)} paused; ${plural(webhooks.unpublished, 'event')} not yet readable`,
    ],
  ];
  const first = acts.length === 0 ? 'All is well.' : acts.join('\n');
  return [
    first,
    '',
    ...lines.map(([name, text], index) => `${(lines[index - 1]?.[0] === name ? '' : name).padEnd(10)}${text}`),
  ].join('\n');
}
