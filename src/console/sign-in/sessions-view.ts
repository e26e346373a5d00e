// The list of a person's sessions.
import type { SessionLine } from '../../database/store.ts';
import { type Html, html } from '../../html/html.ts';
import { plural } from '../../text.ts';
import { form, fullMoment, moment, table } from '../components.ts';
import type { PageContext } from '../frame.ts';

export function sessionsMain({ me, csrf, realNow: now }: PageContext, sessions: readonly SessionLine[]): Html {
  const others = sessions.filter(({ current }) => !current).length;
  const end = ({ id, device, clientAddress }: SessionLine) =>
    form(
      csrf,
      html`<input type="hidden" name="action" value="end"><input type="hidden" name="session" value="${id}">
<button class="quiet" type="submit">End<span class="hidden"> ${device ?? 'the session'} from ${clientAddress ?? 'an unknown address'}</span></button>`,
      { action: '/sessions' },
    );
  const row = (session: SessionLine) => [
    html`${session.device ?? 'Unknown browser'}<span class="sub">${session.clientAddress ?? 'unknown address'}</span>${session.current && html`<span class="sub"><strong>this session</strong></span>`}`,
    fullMoment(session.signedInAt, now),
    fullMoment(session.lastUsedAt, now),
    moment(session.endsAt, now),
    session.current ? '' : end(session),
  ];
  return html`<div class="head"><h1>Your sessions</h1></div>
<p class="note">Where ${me.email} is signed in. If you don't know one of them, end it. “Last used” is accurate to five minutes.</p>
${table(
  'Your sessions',
  ['Signed in with', ['Signed in', 'time'], ['Last used', 'time'], ['Ends', 'time'], 'Actions'],
  sessions.map(row),
)}
${form(
  csrf,
  html`${others > 0 && html`<button class="quiet" type="submit" name="action" value="others">End ${others === 1 ? 'the other session' : `the ${others} others`}</button> `}<button class="quiet danger" type="submit">Sign out of ${plural(sessions.length, 'session')}</button>`,
  { action: '/sessions', class: 'actions' },
)}
<p class="note">This also makes unused sign-in links stop working.</p>`;
}
