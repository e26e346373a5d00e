// The tab API trigger of a survey: tokens, refused requests, limits. Pure.
import type { HoldReason, RefusalCard, SurveyFrame, TokenCard } from '../../database/store.ts';
import type { ErrorCode } from '../../errors.ts';
import { type Html, html } from '../../html/html.ts';
import { badge, empty, moment, table } from '../components.ts';
import type { PageContext } from '../frame.ts';
import { HOLD_REASONS } from '../words.ts';
import { refusalsPart } from './rejections-view.ts';

/** The limits in force, as the settings have them. */
export interface TriggerLimits {
  readonly maxRecipients: number;
  readonly maxMetadataBytes: number;
  readonly maxMessageBytes: number;
  readonly maxBodyBytes: number;
  readonly recipientsPerHour: number;
  readonly requestsPerMinute: number;
}

interface Shown {
  readonly survey: SurveyFrame;
  readonly tokens: readonly TokenCard[];
  /** Tokens of a full page: after it there may be more. */
  readonly pageSize: number;
  /** Whether this is not the first page. */
  readonly paged: boolean;
  readonly refusals: readonly RefusalCard[];
  readonly limits: TriggerLimits;
}

export const tokenPath = (surveyId: string, tokenId: string): string => `/surveys/${surveyId}/api-trigger/${tokenId}`;

/** The last characters of a secret, as it is known by. */
export const secretHint = (hint: string): Html => html`<code class="secret-hint">…${hint}</code>`;

/** The error that every request gets while the survey is held for this reason. A draft or a closed survey accepts requests. */
export const REFUSED_AS: Readonly<Record<HoldReason, ErrorCode | null>> = {
  workspace_suspended: 'workspace_disabled',
  plan_required: 'plan_required',
  survey_disabled: 'survey_disabled',
  survey_draft: null,
  survey_closed: null,
};

export function apiTriggerMain(page: PageContext, shown: Shown): Html {
  const { survey, refusals, limits } = shown;
  const code = survey.holdReason && REFUSED_AS[survey.holdReason];
  return html`${code && survey.holdReason && html`<p class="flash wait" role="note"><strong>Requests are being rejected with <code>${code}</code>:</strong> ${HOLD_REASONS[survey.holdReason]}.</p>`}
<div class="split"><h2>Trigger tokens</h2><p class="actions"><a class="button quiet" href="/surveys/${survey.surveyId}/test-invitation">Send a test</a><a class="button" href="/surveys/${survey.surveyId}/api-trigger/new">Create a token</a></p></div>
<p class="note">A backend sends a token's secret with each request that invites people to this survey. Give each workflow a token of its own: texts, cooldown and rotation then are its own too.</p>
${tokensPart(page, shown)}
<h2>Refused requests</h2>
${refusalsPart(page, survey.surveyId, refusals, true)}
<h2>Limits in force</h2>
${limitsPart(limits)}`;
}

function tokensPart({ now }: PageContext, { survey, tokens, pageSize, paged }: Shown): Html {
  if (tokens.length === 0 && !paged)
    return empty('No tokens yet', 'Create one, and give its secret to the backend that is to invite people.');
  const rows = tokens.map((token) => [
    html`<a href="${tokenPath(survey.surveyId, token.id)}">${token.name}</a> ${secretHint(token.secretHint)}`,
    seconds(token.cooldownSeconds),
    token.defaultReminderDays === 0 ? html`<span class="none">none</span>` : `after ${days(token.defaultReminderDays)}`,
    moment(token.lastAcceptedAt, now),
    token.refused === 0 ? html`<span class="none">0</span>` : badge(String(token.refused), 'bad'),
    html`${token.createdBy ?? html`<span class="none">no member</span>`}`,
  ]);
  const columns = ['Name', 'Cooldown', 'Reminder', 'Last accepted', 'Refused in 24 h', 'Created by'];
  return html`${table('Trigger tokens', columns, rows)}
${tokens.length === pageSize && html`<p><a class="button quiet" href="?after=${tokens.at(-1)?.id}">More tokens</a></p>`}`;
}

function limitsPart(limits: TriggerLimits): Html {
  const rows: [string, string][] = [
    ['Requests of one token', `${count(limits.requestsPerMinute)} a minute, and its cooldown between two accepted ones`],
    ['Recipients of one request', count(limits.maxRecipients)],
    ['Recipients of the workspace', `${count(limits.recipientsPerHour)} in any hour`],
    ['Request body', bytes(limits.maxBodyBytes)],
    ['Metadata', `${bytes(limits.maxMetadataBytes)} as JSON`],
    ['Message', bytes(limits.maxMessageBytes)],
  ];
  return html`<dl class="facts panel">${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

const count = (number: number): string => number.toLocaleString('en');
const bytes = (number: number): string =>
  number % 1_048_576 === 0
    ? `${number / 1_048_576} MiB`
    : number % 1024 === 0
      ? `${number / 1024} KiB`
      : `${count(number)} bytes`;
export const seconds = (number: number): string => (number === 0 ? 'none' : `${count(number)} s`);
const days = (number: number): string => (number === 1 ? '1 day' : `${number} days`);
