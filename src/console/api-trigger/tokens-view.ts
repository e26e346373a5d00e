// The tab API trigger of a survey: tokens, refused requests, limits. Pure.
import type { HoldReason, RefusalCard, SurveyFrame, TokenCard } from '../../database/store.ts';
import type { ErrorCode } from '../../errors.ts';
import { type Html, html } from '../../html/html.ts';
import { formatNumber, plural } from '../../text.ts';
import { badge, empty, moment, table } from '../components.ts';
import type { PageContext } from '../frame.ts';
import { HOLD_REASONS } from '../words.ts';

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
    token.defaultReminderDays === 0 ? html`<span class="none">none</span>` : `after ${plural(token.defaultReminderDays, 'day')}`,
    moment(token.lastAcceptedAt, now),
    token.refused === 0 ? html`<span class="none">0</span>` : badge(String(token.refused), 'bad'),
    html`${token.createdBy ?? html`<span class="none">no member</span>`}`,
  ]);
  const columns = ['Name', 'Cooldown', 'Reminder', 'Last accepted', 'Refused in 24 h', 'Created by'];
  return html`${table('Trigger tokens', columns, rows)}
${tokens.length === pageSize && html`<p><a class="button quiet" href="?after=${tokens.at(-1)?.id}">More tokens</a></p>`}`;
}

/** Codes of the members' pages, and one that never has a token. */
type Elsewhere = 'forbidden' | 'not_found' | 'missing_token';

/** What to do about a code. */
const ADVICE: Record<Exclude<ErrorCode, Elsewhere>, string> = {
  invalid_json: 'Send a JSON object in UTF-8.',
  unsupported_content_type: 'Send Content-Type: application/json, uncompressed.',
  body_too_large: 'Send fewer recipients in one request.',
  unknown_token: 'The token is deleted, and somebody still uses it: give the caller the secret of another one.',
  idempotency_key_reused: 'One Idempotency-Key came with two payloads within 24 hours: make one for each event.',
  missing_recipient: 'Send email or emails.',
  invalid_recipient: 'Mend the address before you send it again.',
  too_many_recipients: 'Split the request.',
  invalid_field: 'Mend the field before you send it again.',
  unknown_field: 'Mend the name of the field, or leave it out.',
  unsupported_timing: 'Send send_in_seconds or send_at, and a time that exists.',
  survey_disabled: 'Requests are taken again when the survey is enabled.',
  workspace_disabled: 'The workspace is suspended.',
  plan_required: "The workspace's plan has no API trigger.",
  method_not_allowed: 'Send it as POST.',
  cooldown: 'Wait for Retry-After, send several recipients in one request, or shorten the cooldown.',
  flood_protection: 'Send several recipients in one request, and spread requests over time.',
  internal_error: 'A fault of ours: try again.',
  not_ready: 'Our database did not answer: try again after Retry-After.',
};

/** @param all Whether they are of all tokens of a survey. */
export function refusalsPart({ now }: PageContext, surveyId: string, refusals: readonly RefusalCard[], all: boolean): Html {
  const note = html`<p class="note">By token and code, of the last seven days; new ones appear within seconds. A request without a secret, or with one that no token ever had, belongs to no survey: the server's log has it.</p>`;
  if (refusals.length === 0) return html`<p class="note">Nothing was refused in the last seven days.</p>${all && note}`;
  const columns = [...(all ? ['Token'] : []), 'Code', 'What to do', 'In 24 h', 'In 7 days', 'Last'];
  const rows = refusals.map(({ code, lastDetail, refusedDay, refusedWeek, lastAt, ...token }) => [
    ...(all ? [tokenCell(surveyId, token)] : []),
    html`<code>${code}</code>`,
    html`${lastDetail && html`<strong class="detail">${lastDetail}</strong> `}${(ADVICE as Record<string, string>)[code]}`,
    refusedDay,
    refusedWeek,
    moment(lastAt, now),
  ]);
  return html`${table('Refused requests', columns, rows)}${note}`;
}

const tokenCell = (
  surveyId: string,
  { tokenId, tokenName, secretHint, deleted }: Pick<RefusalCard, 'tokenId' | 'tokenName' | 'secretHint' | 'deleted'>,
) =>
  deleted
    ? html`${tokenName} <code class="secret-hint">…${secretHint}</code> ${badge('deleted', 'bad')}`
    : html`<a href="/surveys/${surveyId}/api-trigger/${tokenId}">${tokenName}</a>`;

function limitsPart(limits: TriggerLimits): Html {
  const rows: [string, string][] = [
    ['Requests of one token', `${formatNumber(limits.requestsPerMinute)} a minute, and its cooldown between two accepted ones`],
    ['Recipients of one request', formatNumber(limits.maxRecipients)],
    ['Recipients of the workspace', `${formatNumber(limits.recipientsPerHour)} in any hour`],
    ['Request body', bytes(limits.maxBodyBytes)],
    ['Metadata', `${bytes(limits.maxMetadataBytes)} as JSON`],
    ['Message', bytes(limits.maxMessageBytes)],
  ];
  return html`<dl class="facts panel">${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

const bytes = (number: number): string =>
  number % 1_048_576 === 0
    ? `${number / 1_048_576} MiB`
    : number % 1024 === 0
      ? `${number / 1024} KiB`
      : `${formatNumber(number)} bytes`;
export const seconds = (number: number): string => (number === 0 ? 'none' : `${formatNumber(number)} s`);
