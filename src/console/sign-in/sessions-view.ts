// The list of a person's sessions.
import type { SessionLine } from '../../database/store.ts';
import { type Html, html } from '../../html/html.ts';
import { plural } from '../../text.ts';
import { form, fullMoment, moment, table } from '../components.ts';
import type { PageContext } from '../frame.ts';

export const sessionsMain = (
  { me, csrf, realNow: now }: PageContext,
  sessions: readonly SessionLine[],
): Html => html`<div class="head"><h1>Your sessions</h1></div>
<p class="note">Where ${me.email} is signed in. If you don't know one of them, sign out everywhere: you can sign in again with a new link.</p>
${table(
  'Your sessions',
  ['Signed in from', ['Signed in', 'time'], ['Last used', 'time'], ['Ends', 'time']],
  sessions.map(({ clientAddress, current, signedInAt, lastUsedAt, endsAt }) => [
    html`${clientAddress ?? 'unknown address'}${current && html`<span class="sub">this session</span>`}`,
    fullMoment(signedInAt, now),
    fullMoment(lastUsedAt, now),
    moment(endsAt, now),
  ]),
)}
${form(csrf, html`<button class="danger" type="submit">Sign out of ${plural(sessions.length, 'session')}</button> <span class="note">This one too. Sign-in links that are still unused stop working.</span>`, { action: '/sessions', class: 'actions' })}`;
