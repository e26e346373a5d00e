// The outbox of a test workspace: the emails that would have left.
import type { OwnWorkspace, TestEmailLine, TestEmailPage } from '../../database/store.ts';
import { type Html, html } from '../../html/html.ts';
import { empty, ended, facts, fullMoment, moment, pager, table } from '../components.ts';
import type { PageContext } from '../frame.ts';
import { breakable } from '../invitations/parts-view.ts';

export const outboxPath = (workspaceId: string): string => `/workspaces/${workspaceId}/outbox`;

export interface OutboxFilter {
  readonly recipient: string | undefined;
  readonly before: string | undefined;
}

export const subjectOf = ({ email }: Pick<TestEmailLine, 'email'>): string => email.subject || '(no subject)';

const kind = (number: number): string => (number === 0 ? 'Invitation' : `Reminder ${number}`);

const person = ({ name, email }: TestEmailLine['email']['to']): string => (name === '' ? email : `${name} <${email}>`);

export function outboxMain(
  { now }: PageContext,
  { id }: OwnWorkspace,
  { recipient, before }: OutboxFilter,
  emails: readonly TestEmailLine[],
  pageSize: number,
): Html {
  const last = emails.at(-1);
  const page = (from?: string) =>
    `?${new URLSearchParams({ ...(recipient && { search: recipient }), ...(from && { before: from }) })}`;
  return html`<form class="bar" role="search">
<div class="field"><label for="search">Recipient's whole address</label><input id="search" name="search" type="search" value="${recipient}" maxlength="254" autocomplete="off" spellcheck="false"></div>
<button class="quiet" type="submit">Search</button>
${recipient && html`<a href="${outboxPath(id)}">Clear search</a>`}
</form>
${
  emails.length > 0
    ? table(
        'Emails, newest first',
        ['Recipient', ['Subject', 'text'], 'Kind', ['Survey', 'text'], ['Sent', 'time']],
        emails.map((line) => [
          html`<a href="${outboxPath(id)}/${line.id}">${breakable(line.email.to.email)}</a>${line.email.to.name && html`<span class="sub">${line.email.to.name}</span>`}`,
          subjectOf(line),
          kind(line.messageNumber),
          html`<a href="/surveys/${line.surveyId}/invitations/${line.invitationId}">${line.surveyTitle}</a>`,
          moment(line.sentAt, now),
        ]),
      )
    : before !== undefined
      ? ended('emails')
      : recipient !== undefined
        ? empty('No emails to this address', html`<a href="${outboxPath(id)}">Show all emails</a>`)
        : empty(
            'No emails yet',
            html`Emails appear here when the <a href="/workspaces/${id}/clock">clock</a> reaches the time at which they are due.`,
          )
}
${pager('emails', before && page(), last && emails.length === pageSize ? page(last.id) : undefined)}`;
}

export function testEmailMain({ now }: PageContext, { id }: OwnWorkspace, shown: TestEmailPage): Html {
  const { email, sentAt, surveyId, surveyTitle, invitationId, messageNumber } = shown;
  const { survey, unsubscribe } = email.links;
  return html`<div class="card panel">${facts([
    ['To', person(email.to)],
    ['From', person(email.from)],
    email.reply_to && ['Replies to', email.reply_to],
    ['Sent', fullMoment(sentAt, now)],
    [kind(messageNumber), html`<a href="/surveys/${surveyId}/invitations/${invitationId}">${surveyTitle}</a>`],
    ['Its link', html`<a href="${survey}" rel="noreferrer">${survey}</a>`, 'wide'],
    ['Unsubscribing', html`<a href="${unsubscribe}" rel="noreferrer">${unsubscribe}</a>`, 'wide'],
  ])}</div>
<section class="card panel preview" aria-labelledby="preview"><h2 id="preview">Email</h2>
<div class="stage"><iframe name="email-preview" title="Email preview" sandbox="" src="${outboxPath(id)}/${shown.id}/preview"></iframe></div>
</section>
<section class="card panel" aria-labelledby="headers"><h2 id="headers">Headers</h2>
${facts(Object.entries(email.headers).map(([name, value]) => [name, html`<code>${value}</code>`, 'wide']))}
</section>`;
}
