// Webhook endpoints: their list, the page of one endpoint with its log, and the page that shows a secret once.
import {
  MAX_WEBHOOK_COUNT,
  type OwnWorkspace,
  type SurveyTitle,
  type WebhookCard,
  type WebhookFormat,
  type WebhookLine,
  type WebhookStatus,
} from '../../database/store.ts';
import { EVENT_TYPES } from '../../events/schema.ts';
import { type Html, html } from '../../html/html.ts';
import { copyable } from '../api-trigger/examples-view.ts';
import {
  capital,
  checkbox,
  confirmation,
  empty,
  ended,
  facts,
  field,
  form,
  formSection,
  fullMoment,
  menu,
  moment,
  NONE,
  notice,
  pager,
  segments,
  status,
  table,
} from '../components.ts';
import type { PageContext } from '../frame.ts';
import { countUpTo } from '../invitations/parts-view.ts';

export const webhooksPath = (workspaceId: string): string => `/workspaces/${workspaceId}/webhooks`;

export const webhookPath = (workspaceId: string, id: string): string => `${webhooksPath(workspaceId)}/${id}`;

/** Lets the browser break the URL before or inside a part if it has to. */
const longUrl = (url: string): Html => html`${url.split('/').map((part, index) => html`${index > 0 && html`/<wbr>`}${part}`)}`;

function state({ disabledAt, pausedAt, failingSince }: WebhookCard): Html {
  if (disabledAt !== null) return status('disabled', 'bad');
  if (pausedAt !== null) return status('paused', 'off');
  return failingSince === null ? status('working', 'good') : status('failing', 'warn');
}

const count = (events: number): string => countUpTo(events, MAX_WEBHOOK_COUNT);

/** What was entered in one of the two forms. */
export interface Entered {
  /** The id that the form gives the new endpoint. */
  readonly id: string;
  readonly format: WebhookFormat;
  readonly url: string;
  readonly types: readonly string[];
  readonly survey: string;
  readonly below: string;
  /** Why it was refused. */
  readonly text: string | undefined;
}

const ALL_BUT = 'All but invitation.deferred and response.low_score';

/** What an endpoint gets. */
function subject({ format, types, surveyTitle, below }: WebhookCard): string {
  const events = types === null ? ALL_BUT : types.join(', ');
  const told = below === null ? 'Low scores' : `Scores below ${below}`;
  return `${format === 'slack' ? told : events}${surveyTitle === null ? '' : ` of ${surveyTitle}`}`;
}

export function webhooksMain(
  { csrf, isTest }: PageContext,
  { id }: OwnWorkspace,
  { webhooks, surveys }: { readonly webhooks: readonly WebhookCard[]; readonly surveys: readonly SurveyTitle[] },
  entered: Entered,
): Html {
  const row = (webhook: WebhookCard) => [
    html`<a href="${webhookPath(id, webhook.id)}">${longUrl(webhook.url)}</a>${webhook.format === 'slack' && html`<span class="sub">${subject(webhook)}</span>`}`,
    state(webhook),
    count(webhook.pending),
    count(webhook.failed),
  ];
  return html`<p class="note">Tells your backend what happens: emails sent, bounces, responses. Each request is signed as Standard Webhooks defines it. Or tells a Slack channel of low scores.</p>
${
  webhooks.length > 0
    ? table(
        'Webhook endpoints',
        ['Address', 'State', ['Waiting', 'number'], ['Given up since yesterday', 'number']],
        webhooks.map(row),
      )
    : empty('No endpoints', 'Events are recorded once there is one.')
}
${formSection(
  'add',
  'Add an endpoint',
  ['The next page shows its secret, once.'],
  form(
    csrf,
    html`<input type="hidden" name="webhook" value="${entered.id}">
${field({ name: 'url', label: 'Address', type: 'url', value: entered.url, error: entered.format === 'events' ? entered.text : undefined, hint: 'Such as https://app.example.com/webhooks', more: html` required maxlength="2000" autocomplete="off" spellcheck="false"` })}
<fieldset class="columns"><legend>Events</legend><p class="hint">Choose none to get all but <code>invitation.deferred</code> and <code>response.low_score</code>.</p>
${EVENT_TYPES.map((type) => checkbox(type, html`<code>${type}</code>`, entered.types.includes(type)))}</fieldset>
<button type="submit">Add endpoint</button>`,
    { action: webhooksPath(id) },
  ),
)}
${
  !isTest &&
  formSection(
    'slack',
    'Low scores to Slack',
    [
      'A message for each low score: the score, the comment and a link, and never who it was.',
      'The address is a secret. Nobody can read it here again.',
    ],
    form(
      csrf,
      html`<input type="hidden" name="webhook" value="${entered.id}"><input type="hidden" name="format" value="slack">
${field({ name: 'address', label: 'Incoming webhook', type: 'url', error: entered.format === 'slack' ? entered.text : undefined, hint: 'Such as https://hooks.slack.com/services/…', more: html` required maxlength="2000" autocomplete="off" spellcheck="false"` })}
${field({ name: 'survey', label: 'Survey', value: entered.survey, options: [['', 'All surveys'], ...surveys.map(({ surveyId, title }): [string, string] => [surveyId, title])] })}
${field({ name: 'below', label: 'Scores below', type: 'number', value: entered.below, hint: 'Of the first question with a score. Empty: 7 of an NPS, otherwise the middle of its scale.', more: html` step="1" min="-99" max="101"` })}
<button type="submit">Add to Slack</button>`,
      { action: webhooksPath(id) },
    ),
  )
}`;
}

export const secretMain = (
  { id }: OwnWorkspace,
  webhook: { readonly id: string; readonly url: string },
  secret: string,
): Html => html`<section class="card panel secret" aria-labelledby="secret"><h2 id="secret">Secret of ${longUrl(webhook.url)}</h2>
<p><strong>It is shown only now.</strong> Store it where your receiver runs. After a change, the previous one stays valid for a day.</p>
${copyable('the secret', secret)}
<p><a class="button" href="${webhookPath(id, webhook.id)}">Go to the endpoint</a></p>
</section>`;

export interface WebhookLog {
  readonly status: WebhookStatus | undefined;
  readonly before: string | undefined;
  readonly lines: readonly WebhookLine[];
  readonly pageSize: number;
}

const KINDS = { pending: 'info', delivered: 'good', failed: 'bad' } as const;

function result({ responseStatus, responseStart, errorCode }: WebhookLine): Html {
  if (responseStatus === null) return errorCode === null ? NONE : html`<code>${errorCode}</code>`;
  return html`HTTP ${String(responseStatus)}${responseStart && html`<span class="sub">${responseStart}</span>`}`;
}

export function webhookMain(
  { csrf, realNow: now }: PageContext,
  { id }: OwnWorkspace,
  webhook: WebhookCard,
  log: WebhookLog,
): Html {
  const path = webhookPath(id, webhook.id);
  const last = log.lines.at(-1);
  const page = (from?: string) =>
    `?${new URLSearchParams({ ...(log.status && { status: log.status }), ...(from && { before: from }) })}`;
  const action = (name: string, label: string, inputs: Html | false = false) =>
    form(
      csrf,
      html`<input type="hidden" name="action" value="${name}">${inputs}<button class="quiet" type="submit">${label}</button>`,
      {
        action: path,
      },
    );
  const stopped = webhook.pausedAt !== null || webhook.disabledAt !== null;
  const row = (line: WebhookLine) => [
    html`<code>${line.type ?? 'expired'}</code><span class="sub">${line.eventId}</span>`,
    html`${status(line.status, KINDS[line.status])}${line.pendingReason === 'retry_later' && html`<span class="sub">again ${moment(line.dueAt, now)}</span>`}`,
    result(line),
    line.attempts,
    moment(line.attemptedAt, now),
    menu(line.eventId, [
      line.status !== 'pending' && action('replay', 'Send again', html`<input type="hidden" name="delivery" value="${line.id}">`),
    ]),
  ];
  return html`${webhook.disabledAt !== null && notice('warn', 'It responded 410 Gone, so it gets nothing more. Resume it once it is back.')}
<div class="card panel">${facts([
    ['Address', longUrl(webhook.url)],
    ['State', state(webhook)],
    webhook.failingSince && ['Failing since', fullMoment(webhook.failingSince, now)],
    ['Events', subject(webhook)],
    ['Waiting', count(webhook.pending)],
    webhook.rotatingUntil && webhook.rotatingUntil > now && ['Previous secret valid until', moment(webhook.rotatingUntil, now)],
  ])}
<div class="actions">${action('test', 'Send a test event')}${action('replay', 'Send again all that failed')}${stopped ? action('resume', 'Resume') : action('pause', 'Pause')}${webhook.format === 'events' && action('rotate', 'Replace the secret', html`<input type="hidden" name="seen" value="${webhook.rotatingUntil?.toISOString() ?? ''}">`)}<a class="button quiet danger" href="${path}/delete">Delete…</a></div></div>
<h2>Log</h2>
${segments(
  'Log',
  ([undefined, 'pending', 'delivered', 'failed'] as const).map((status) => ({
    href: status === undefined ? '?' : `?status=${status}`,
    content: capital(status ?? 'all'),
    current: status === log.status,
  })),
)}
${
  log.lines.length > 0
    ? table(
        'Log',
        ['Event', 'Status', 'Response', ['Attempts', 'number'], ['Last attempt', 'time'], ['Actions', 'menu']],
        log.lines.map(row),
      )
    : log.before === undefined
      ? empty('Nothing here yet', 'Send a test event to see it arrive.')
      : ended('events')
}
${pager('events', log.before && page(), last && log.lines.length === log.pageSize ? page(last.id) : undefined)}`;
}

export const deleteWebhookMain = ({ csrf }: PageContext, { id }: OwnWorkspace, webhook: WebhookCard): Html =>
  confirmation(csrf, {
    title: `Delete ${webhook.url}?`,
    content: html`<p>It gets no more events, and its log is deleted.${webhook.pending > 0 && ` ${webhook.pending === 1 ? '1 waiting event' : `${count(webhook.pending)} waiting events`} won't be sent.`}</p>`,
    button: 'Delete endpoint',
    danger: true,
    action: webhookPath(id, webhook.id),
    fields: { action: 'delete' },
    keep: [webhookPath(id, webhook.id), 'Keep it'],
  });
