// The settings of a workspace.
import type { WorkspaceSettings } from '../../database/store.ts';
import { type Html, html } from '../../html/html.ts';
import { formatNumber } from '../../text.ts';
import { facts, field, form, formSection, fullMoment, notice } from '../components.ts';
import type { PageContext } from '../frame.ts';

export const workspaceSettingsMain = (
  { csrf, now }: PageContext,
  { name, planId, apiTrigger, suspendedAt, quota, remaining }: WorkspaceSettings,
  sent?: { readonly name: string; readonly error: string },
): Html => html`${suspendedAt && notice('warn', html`<strong>Suspended</strong> since ${fullMoment(suspendedAt, now)}. Requests are rejected, and no email goes out.`)}
${formSection(
  'general',
  'General',
  ['The name of this workspace, as recipients read it.'],
  form(
    csrf,
    html`${field({ name: 'name', label: 'Name', value: sent?.name ?? name, error: sent?.error, hint: 'Recipients read it in their email and on the survey page', more: html` required maxlength="255" autocomplete="off"` })}
<p class="actions"><button type="submit">Save</button></p>`,
  ),
)}
${formSection(
  'plan',
  'Plan',
  ['How many people this workspace can invite.'],
  html`${facts([
    ['Plan', planId],
    ['API trigger', apiTrigger ? 'included' : 'not included'],
    ['Recipients in any hour', `up to ${formatNumber(quota)}`],
    ['Used in the last hour', formatNumber(quota - remaining)],
    ['Left now', formatNumber(remaining)],
  ])}
<label class="hidden" for="hour">Used of the hour</label><meter id="hour" max="${quota}" value="${quota - remaining}">${formatNumber(quota - remaining)} of ${formatNumber(quota)}</meter>
${!apiTrigger && html`<p class="note">Requests are rejected with <code>plan_required</code>, and due emails wait. The operator of this service changes the plan.</p>`}`,
)}`;
