// Webhook endpoints: the addresses where a workspace's backend receives events.
import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { EVENT_TYPES } from '../events/schema.ts';
import { shownAddress } from '../events/slack.ts';
import { keyringOf } from '../sealed.ts';
import { createWebhookSecret } from '../secret.ts';
import { plural } from '../text.ts';
import { type Context, score, table, time } from './command.ts';

const LOG_ROWS = 50;

interface NewEndpoint {
  readonly workspace: string;
  readonly url: string;
  readonly types?: string[];
  readonly survey?: string;
  readonly slack?: boolean;
  readonly below?: number;
}

export function addWebhookCommands(program: Command, { config, print, withStore }: Context): void {
  const newSecret = (id: string) => {
    const secret = createWebhookSecret();
    return { secret, sealed: keyringOf(config()).seal(secret, { kind: 'webhook', id }) };
  };

  const webhook = program.command('webhook').description('where events are sent');
  webhook
    .command('create')
    .description('create an endpoint, and record events from now on; its secret is shown only once')
    .requiredOption('--workspace <ID>', 'the workspace')
    .requiredOption('--url <URL>', 'its address; - reads it from standard input')
    .option('--survey <ID>', 'only this survey')
    .addOption(
      new Option('--slack', 'an incoming webhook of Slack: it gets low scores, and its address is stored as a secret').conflicts(
        'types',
      ),
    )
    .option('--below <SCORE>', 'with --slack: scores below it (7 of an NPS, otherwise the middle of the scale)', score)
    .option(
      '--types <TYPES>',
      'the events it gets, separated by commas (all but invitation.deferred and response.low_score)',
      types,
    )
    .action(async (options: NewEndpoint) => {
      const id = randomUUID();
      const url = options.url === '-' ? (await text(process.stdin)).trim() : options.url;
      const { workspace, survey: surveyId, types, below } = options;
      if (options.slack) {
        const secret = keyringOf(config()).seal(url, { kind: 'webhook', id });
        await withStore((store) =>
          store.createWebhook(id, workspace, { url: shownAddress(url), secret, surveyId, format: 'slack', below }),
        );
        print({ id }, `Endpoint ${id} created. It gets a message for each low score: try webhook test ${id}.`);
        return;
      }
      const { secret, sealed } = newSecret(id);
      await withStore((store) => store.createWebhook(id, workspace, { url, secret: sealed, types, surveyId, below }));
      print({ id, secret }, `Endpoint ${id} created.\nSecret: ${secret}\nStore it on a server now: it can't be shown again.`);
    });
  webhook
    .command('list')
    .description('list the endpoints of a workspace')
    .requiredOption('--workspace <ID>', 'the workspace')
    .action(async ({ workspace }: { workspace: string }) => {
      const rows = await withStore(async (store) => {
        await store.requireWorkspace(workspace);
        return store.listWebhooks(workspace);
      });
      const columns = [
        'id',
        'url',
        'format',
        'survey_id',
        'below',
        'paused_at',
        'disabled_at',
        'failing_since',
        'pending',
        'failed',
      ];
      print(rows, table(rows, columns, 'There are no endpoints.'));
    });
  webhook
    .command('log <endpoint>')
    .description('list what was sent to an endpoint, the newest first')
    .addOption(new Option('--status <STATUS>', 'only these').choices(['pending', 'delivered', 'failed']))
    .action(async (id: string, { status }: { status?: string }) => {
      const rows = await withStore((store) => store.listWebhookLog(id, status, LOG_ROWS));
      const columns = [
        'id',
        'event_id',
        'status',
        'pending_reason',
        'attempts',
        'attempted_at',
        'response_status',
        'error_code',
        'response_start',
      ];
      print(rows, table(rows, columns, 'There are none.'));
    });
  webhook
    .command('test <endpoint>')
    .description('send a test event to an endpoint')
    .action(async (id: string) => {
      const delivery = await withStore((store) => store.sendTestWebhook(id));
      print({ delivery }, `Delivery ${delivery} is on its way: see webhook log ${id}.`);
    });
  webhook
    .command('rotate <endpoint>')
    .description('give an endpoint a new secret; for a day requests carry signatures of both')
    .action(async (id: string) => {
      const { secret, sealed } = newSecret(id);
      await withStore((store) => store.rotateWebhookSecret(id, sealed, 86_400));
      print({ id, secret }, `Secret: ${secret}\nThe old one is valid for 24 hours.`);
    });
  const setPaused = async (id: string, paused: boolean) => {
    await withStore((store) => store.setWebhookPaused(id, paused));
    print({ id, paused }, `Endpoint ${id} ${paused ? 'paused: its events are kept' : 'resumed'}.`);
  };
  webhook
    .command('pause <endpoint>')
    .description('send nothing to an endpoint, and keep its events')
    .action((id: string) => setPaused(id, true));
  webhook
    .command('resume <endpoint>')
    .description('send to an endpoint again, also after a 410')
    .action((id: string) => setPaused(id, false));
  webhook
    .command('replay <endpoint>')
    .description('send again all that failed, or what you choose')
    .option('--delivery <ID>', 'one, by its id in the log', rowId)
    .option('--since <TIME>', 'all events since a time, such as 2030-01-31T09:00:00Z', time)
    .action(async (id: string, options: { delivery?: string; since?: Date }) => {
      const replayed = await withStore((store) =>
        store.replayWebhooks(id, { deliveryId: options.delivery, since: options.since }),
      );
      print({ id, replayed }, `${plural(replayed, 'event is', 'events are')} sent again.`);
    });
  webhook
    .command('delete <endpoint>')
    .description('delete an endpoint at once, with its log')
    .action(async (id: string) => {
      await withStore((store) => store.deleteWebhook(id));
      print({ id, deleted: true }, `Endpoint ${id} deleted.`);
    });
}

function types(text: string): string[] {
  const found = text.split(',').map((type) => type.trim());
  const unknown = found.find((type) => !EVENT_TYPES.some((known) => known === type));
  if (unknown !== undefined) throw new InvalidArgumentError(`There is no ${unknown}. Types: ${EVENT_TYPES.join(', ')}.`);
  return found;
}

function rowId(text: string): string {
  if (!/^\d{1,18}$/.test(text)) throw new InvalidArgumentError('It must be a number.');
  return text;
}
