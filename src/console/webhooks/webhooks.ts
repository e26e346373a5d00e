// The webhook endpoints of a workspace: the addresses where its backend receives events.
import { randomUUID } from 'node:crypto';
import { constraintMessage } from '../../constraint-messages.ts';
import type { WebhookAction, WebhookCard, WebhookStatus } from '../../database/store.ts';
import { ApiError } from '../../errors.ts';
import { EVENT_TYPES } from '../../events/schema.ts';
import { shownAddress } from '../../events/slack.ts';
import { readRowId, readUuid } from '../../http/ids.ts';
import { type Keyring, NO_SECRET_KEY } from '../../sealed.ts';
import { createWebhookSecret } from '../../secret.ts';
import { addBelow } from '../components.ts';
import type { FlashCode } from '../flashes.ts';
import { type ConsoleContext, done, type PageHandler, type PageRequest } from '../page.ts';
import {
  deleteWebhookMain,
  type Entered,
  secretMain,
  webhookMain,
  webhookPath,
  webhooksMain,
  webhooksPath,
} from './webhooks-view.ts';

const ROWS = 50;
/** That can be chosen among: the newest. `webhook create --survey` takes any. */
const SURVEYS = 200;
const STATUSES: readonly string[] = ['pending', 'delivered', 'failed'] satisfies WebhookStatus[];

async function show({ store }: ConsoleContext, request: PageRequest, refused?: Entered) {
  const workspace = request.workspace(request.param('workspace'));
  const [webhooks, surveys] = await Promise.all([
    store.console.listWebhooks(request.session, workspace.id),
    store.console.surveyTitles(request.session, workspace.id, SURVEYS),
  ]);
  const none: Entered = { id: randomUUID(), format: 'events', url: '', types: [], survey: '', below: '', text: undefined };
  const main = webhooksMain(request, workspace, { webhooks, surveys }, refused ?? none);
  return request.page(
    { title: 'Webhooks', workspace, tab: 'webhooks', actions: addBelow('Add an endpoint') },
    main,
    refused === undefined ? 200 : 422,
  );
}

export const showWebhooks =
  (context: ConsoleContext): PageHandler =>
  (request) =>
    show(context, request);

export interface WebhooksContext extends ConsoleContext {
  readonly keys: Keyring;
}

function newSecret({ keys }: WebhooksContext, id: string) {
  const secret = createWebhookSecret();
  return { secret, sealed: keys.seal(secret, { kind: 'webhook', id }) };
}

export const addWebhook =
  (context: WebhooksContext): PageHandler =>
  async (request) => {
    const { form, session } = request;
    const workspace = request.workspace(request.param('workspace'));
    const id = readUuid(form.get('webhook')) ?? randomUUID();
    const types = EVENT_TYPES.filter((type) => form.get(type) === 'yes');
    const format = form.get('format') === 'slack' ? 'slack' : 'events';
    const url = (form.get(format === 'slack' ? 'address' : 'url') ?? '').trim();
    const entered = {
      id,
      format,
      url: format === 'slack' ? '' : url,
      types,
      survey: form.get('survey') ?? '',
      below: (form.get('below') ?? '').trim(),
    } as const;
    const refused = (text: string) => show(context, request, { ...entered, text });
    const refusedBy = (constraint_name: string) => refused(constraintMessage({ constraint_name }) ?? '');
    // This check finds more than the table's rule does, such as an IPv4 address with 999 in it.
    if (!URL.canParse(url)) return refusedBy('webhook_endpoints_url_form');
    if (!/^(-?\d{1,4})?$/.test(entered.below)) return refusedBy('webhook_endpoints_below_range');
    if (context.keys.keyIds.length === 0) return refused(NO_SECRET_KEY);
    try {
      if (format === 'slack') {
        await context.store.console.createWebhook(session, workspace.id, id, {
          format,
          url: shownAddress(url),
          secret: context.keys.seal(url, { kind: 'webhook', id }),
          surveyId: entered.survey === '' ? undefined : entered.survey,
          below: entered.below === '' ? undefined : Number(entered.below),
        });
        return done(webhookPath(workspace.id, id), 'slack_added');
      }
      const chosen = types.length > 0 && types.length < EVENT_TYPES.length ? types : undefined;
      const { secret, sealed } = newSecret(context, id);
      await context.store.console.createWebhook(session, workspace.id, id, { url, types: chosen, secret: sealed });
      return request.page({ title: 'Endpoint created', workspace, tab: 'webhooks' }, secretMain(workspace, { id, url }, secret));
    } catch (error) {
      const { constraint_name: constraint } = error as { constraint_name?: string };
      // The page was reloaded and sent the form again.
      if (constraint === 'webhook_endpoints_pkey') return done(webhooksPath(workspace.id), 'webhook_created_before');
      const text = constraintMessage(error);
      if (text === undefined) throw error;
      return refused(text);
    }
  };

/** @throws {ApiError} not_found. */
async function find({ store }: ConsoleContext, request: PageRequest) {
  const workspace = request.workspace(request.param('workspace'));
  const id = readUuid(request.param('webhook')) ?? '00000000-0000-0000-0000-000000000000';
  const webhook: WebhookCard | undefined = await store.console.findWebhook(request.session, workspace.id, id);
  if (webhook === undefined) throw new ApiError('not_found', 'No such endpoint.');
  return { workspace, webhook };
}

export const showWebhook =
  (context: ConsoleContext): PageHandler =>
  async (request) => {
    const { workspace, webhook } = await find(context, request);
    const asked = request.query.get('status') ?? '';
    const status = STATUSES.includes(asked) ? (asked as WebhookStatus) : undefined;
    const before = readRowId(request.query.get('before'));
    const lines = await context.store.console.listWebhookLog(request.session, workspace.id, webhook.id, {
      status,
      beforeId: before,
      maxRows: ROWS,
    });
    return request.page(
      { title: URL.parse(webhook.url)?.host ?? 'Endpoint', workspace, tab: 'webhooks' },
      webhookMain(request, workspace, webhook, { status, before, lines, pageSize: ROWS }),
    );
  };

export const showDeleteWebhook =
  (context: ConsoleContext): PageHandler =>
  async (request) => {
    const { workspace, webhook } = await find(context, request);
    return request.page({ title: 'Delete endpoint', workspace, tab: 'webhooks' }, deleteWebhookMain(request, workspace, webhook));
  };

/** The end of the previous secret that the form showed. Undefined: the form doesn't say it. */
const seenIn = (text: string | null): Date | null | undefined =>
  text === '' ? null : Number.isNaN(Date.parse(text ?? '')) ? undefined : new Date(text ?? '');

const DONE: Record<Exclude<WebhookAction, 'rotate'>, FlashCode> = {
  test: 'webhook_tested',
  pause: 'webhook_paused',
  resume: 'webhook_resumed',
  replay: 'webhook_replayed',
  delete: 'webhook_deleted',
};

export const changeWebhook =
  (context: WebhooksContext): PageHandler =>
  async (request) => {
    const { workspace, webhook } = await find(context, request);
    const action = request.form.get('action') ?? '';
    if (action !== 'rotate' && !Object.hasOwn(DONE, action)) throw new ApiError('invalid_field', 'No such action.');
    const { changeWebhook } = context.store.console;
    if (action === 'rotate') {
      if (context.keys.keyIds.length === 0) throw new ApiError('forbidden', NO_SECRET_KEY);
      const { secret, sealed } = newSecret(context, webhook.id);
      const seen = seenIn(request.form.get('seen'));
      try {
        await changeWebhook(request.session, workspace.id, webhook.id, 'rotate', { secret: sealed, seen });
      } catch (error) {
        // The page was reloaded and sent the form again. The receiver may not have the new secret yet, so the one before must last its day.
        if ((error as { constraint_name?: string }).constraint_name !== 'webhook_endpoints_secret_replaced') throw error;
        return done(webhookPath(workspace.id, webhook.id), 'webhook_secret_replaced_before');
      }
      return request.page({ title: 'New secret', workspace, tab: 'webhooks' }, secretMain(workspace, webhook, secret));
    }
    const deliveryId = readRowId(request.form.get('delivery'));
    await changeWebhook(request.session, workspace.id, webhook.id, action as WebhookAction, { deliveryId });
    const path = action === 'delete' ? webhooksPath(workspace.id) : webhookPath(workspace.id, webhook.id);
    return done(path, DONE[action as keyof typeof DONE]);
  };
