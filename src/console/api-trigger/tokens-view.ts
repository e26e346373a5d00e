// The tab API trigger.
import type { HoldReason, Rejection, SurveyFrame, TokenCard } from '../../database/store.ts';
import type { ErrorCode } from '../../errors.ts';
import { type Html, html } from '../../html/html.ts';
import { formatNumber, remindersInWords } from '../../text.ts';
import type { TriggerLimits } from '../../trigger/schema.ts';
import { type Column, empty, facts, moment, NONE, notice, status, table } from '../components.ts';
import type { PageContext } from '../frame.ts';
import { HOLD_REASONS } from '../words.ts';

interface Shown {
  readonly survey: SurveyFrame;
  readonly tokens: readonly TokenCard[];
  /** How many tokens a full page has. After a full page there may be another. */
  readonly pageSize: number;
  readonly paged: boolean;
  readonly rejections: readonly Rejection[];
  readonly limits: TriggerLimits;
}

export const tokenPath = (surveyId: string, tokenId: string): string => `/surveys/${surveyId}/api-trigger/${tokenId}`;

/** A token of lists that people upload has none. */
export const secretOf = ({ isByHand, secretHint: hint }: Pick<TokenCard, 'isByHand' | 'secretHint'>): Html =>
  isByHand ? html`<span class="dim">no secret</span>` : secretHint(hint);

export const secretHint = (hint: string): Html => html`<code class="dim">…${hint}</code>`;

/** The error code that requests get while the survey is on hold. Null: requests are accepted, as for a draft or a closed survey. */
export const REJECTED_AS: Readonly<Record<HoldReason, ErrorCode | null>> = {
  workspace_suspended: 'workspace_disabled',
  plan_required: 'plan_required',
  survey_disabled: 'survey_disabled',
  survey_draft: null,
  survey_closed: null,
  sending_paused: null,
  workspace_guarded: null,
  workspace_paused: null,
  survey_paused: null,
};

export function apiTriggerMain(page: PageContext, shown: Shown): Html {
  const { survey, rejections, limits } = shown;
  const code = survey.holdReason && REJECTED_AS[survey.holdReason];
  return html`${code && survey.holdReason && notice('warn', html`<strong>Requests are being rejected with <code>${code}</code>:</strong> ${HOLD_REASONS[survey.holdReason]}.`)}
<h2 class="hidden">Trigger tokens</h2>
${tokensPart(page, shown)}
<p class="note">Your backend sends a token's secret with each request that invites people to this survey. Use one token per workflow, so each has its own email, cooldown and secret.</p>
<h2>Rejected requests</h2>
${rejectionsPart(page, survey.surveyId, rejections, true)}
<h2>Limits</h2>
${limitsPart(limits)}`;
}

function tokensPart({ now }: PageContext, { survey, tokens, pageSize, paged }: Shown): Html {
  if (tokens.length === 0 && !paged)
    return empty('No tokens yet', 'Create one and give its secret to the backend that invites people.');
  const rows = tokens.map((token) => [
    html`<a href="${tokenPath(survey.surveyId, token.id)}">${token.name}</a> ${secretOf(token)}`,
    seconds(token.cooldownSeconds),
    token.defaultReminders.length === 0 ? html`<span class="dim">none</span>` : remindersInWords(token.defaultReminders),
    moment(token.lastAcceptedAt, now),
    token.rejected === 0 ? NONE : status('', 'bad', { count: token.rejected }),
    html`${token.createdBy ?? html`<span class="dim">${token.isByHand ? 'Invite people' : 'command line'}</span>`}`,
  ]);
  const columns: Column[] = [
    'Name',
    ['Cooldown', 'number'],
    'Reminders',
    ['Last accepted', 'time'],
    ['Rejected in 24 h', 'number'],
    'Created by',
  ];
  return html`${table('Trigger tokens', columns, rows)}
${tokens.length === pageSize && html`<p><a class="button quiet" href="?after=${tokens.at(-1)?.id}">More tokens</a></p>`}`;
}

/** Error codes that no request of a token gets: those of pages, and missing_token. */
type Elsewhere = 'forbidden' | 'not_found' | 'missing_token';

const ADVICE: Record<Exclude<ErrorCode, Elsewhere>, string> = {
  invalid_json: 'Send a JSON object in UTF-8.',
  unsupported_content_type: 'Send Content-Type: application/json, uncompressed.',
  body_too_large: 'Send fewer recipients in one request.',
  unknown_token: 'This token was deleted but is still in use. Give the caller another secret.',
  idempotency_key_reused: 'Use a new Idempotency-Key for each event. This one came with two payloads within 24 hours.',
  missing_recipient: 'Send email or emails.',
  invalid_recipient: 'Fix the address and resend.',
  too_many_recipients: 'Split the request into smaller ones.',
  invalid_field: 'Fix the field and resend.',
  unknown_field: 'Fix the name of the field, or remove it.',
  unsupported_timing: 'Send either send_in_seconds or send_at, with a valid time.',
  survey_disabled: 'Ask the people who run this service to enable the survey.',
  workspace_disabled: 'The workspace is suspended.',
  plan_required: "Ask the people who run this service to change the plan: it doesn't include the API trigger.",
  method_not_allowed: 'Use POST.',
  cooldown: 'Wait for Retry-After, put several recipients in one request, or shorten the cooldown.',
  flood_protection: 'Put several recipients in one request, and spread requests over time.',
  internal_error: 'This is a problem on our side. Try again.',
  not_ready: 'The service was unavailable. Try again after Retry-After.',
};

export function rejectionsPart(
  { realNow: now }: PageContext,
  surveyId: string,
  rejections: readonly Rejection[],
  all: boolean,
): Html {
  const unlisted = "Requests with a missing or unknown secret aren't listed here: see the server log.";
  if (rejections.length === 0)
    return html`<p class="note">No requests were rejected in the last seven days. ${all && unlisted}</p>`;
  const columns: Column[] = [
    ...(all ? ['Token'] : []),
    'Code',
    'What to do',
    ['Last 24 h', 'number'],
    ['Last 7 days', 'number'],
    ['Latest', 'time'],
  ];
  const rows = rejections.map(({ code, lastDetail, rejectedDay, rejectedWeek, lastAt, ...token }) => [
    ...(all ? [tokenCell(surveyId, token)] : []),
    html`<code>${code}</code>`,
    html`${lastDetail && html`<strong>${lastDetail}</strong><br>`}${(ADVICE as Record<string, string>)[code]}`,
    rejectedDay,
    rejectedWeek,
    moment(lastAt, now),
  ]);
  return html`${table('Rejected requests', columns, rows)}
<p class="note">The last seven days, by token and code. New ones appear within seconds. ${unlisted}</p>`;
}

const tokenCell = (
  surveyId: string,
  { tokenId, tokenName, secretHint, deleted }: Pick<Rejection, 'tokenId' | 'tokenName' | 'secretHint' | 'deleted'>,
) =>
  deleted
    ? html`${tokenName} <span class="dim">…${secretHint}, deleted</span>`
    : html`<a href="/surveys/${surveyId}/api-trigger/${tokenId}">${tokenName}</a>`;

function limitsPart(limits: TriggerLimits): Html {
  const rows: [string, string][] = [
    ['Requests per token', `${formatNumber(limits.requestsPerMinute)} a minute, and one per cooldown`],
    ['Recipients per request', formatNumber(limits.maxRecipients)],
    ['Recipients per workspace', `${formatNumber(limits.recipientsPerHour)} an hour`],
    ['Request body', bytes(limits.maxBodyBytes)],
    ['Metadata', `${bytes(limits.maxMetadataBytes)} as JSON`],
    ['Message', bytes(limits.maxMessageBytes)],
  ];
  return html`<div class="card panel">${facts(rows)}</div>`;
}

const bytes = (number: number): string =>
  number % 1_048_576 === 0
    ? `${number / 1_048_576} MiB`
    : number % 1024 === 0
      ? `${number / 1024} KiB`
      : `${formatNumber(number)} bytes`;
export const seconds = (number: number): string => (number === 0 ? 'none' : `${formatNumber(number)} s`);
