// Refused requests, and what each code means to the integrator. Pure.

import type { RefusalCard } from '../../database/store.ts';
import type { ErrorCode } from '../../errors.ts';
import { type Html, html } from '../../html/html.ts';
import { badge, moment, table } from '../components.ts';
import type { PageContext } from '../frame.ts';

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
