// The pages for people who aren't signed in.
import { SIGN_IN_MINUTES } from '../../database/sessions.ts';
import type { SignInLink } from '../../database/store.ts';
import { html } from '../../html/html.ts';
import { field } from '../components.ts';
import { openNotice, openPage } from './open-page.ts';

export const welcomePage = (): string =>
  openPage(
    'Invitation Trigger Service',
    html`<h1>Surveys by email</h1>
<p>Who is invited, what was delivered, and what people responded.</p>
<p><a class="button" href="/sign-in">Sign in</a></p>`,
  );

export const signedOutPage = (everywhere: boolean): string =>
  openNotice(
    'done',
    everywhere ? "You're signed out everywhere" : "You're signed out",
    html`<p>${everywhere ? 'All your sessions have ended, and unused sign-in links no longer work.' : 'Your session in this browser has ended.'}</p>
<p><a class="button" href="/sign-in">Sign in again</a></p>`,
  );

/**
 * @param next The page to open after signing in.
 * @param invalid The address that was entered, if it isn't valid.
 */
export const signInPage = (next: string | undefined, invalid?: string): string =>
  openPage(
    invalid === undefined ? 'Sign in' : 'Error: Sign in',
    html`<h1>Sign in</h1>
<p>We'll email you a sign-in link. You don't need a password.</p>
${next !== undefined && html`<p>After that you get to the page you opened.</p>`}
<form class="once" method="post" action="/sign-in">
${next !== undefined && html`<input type="hidden" name="next" value="${next}">`}
${field({
  name: 'email',
  label: 'Email address',
  type: 'email',
  value: invalid,
  error: invalid === undefined ? undefined : 'Enter a valid email address.',
  more: html` autocomplete="email" required`,
})}
<button type="submit">Email me a link</button>
</form>`,
  );

export const askedPage = (): string =>
  openNotice(
    'mail',
    'Check your email',
    html`<p>If this address belongs to a member, we've sent it a sign-in link. It works once and expires in ${SIGN_IN_MINUTES} minutes.</p>
<p class="note">Didn't get it? Check your spam folder, or <a href="/sign-in">request another link</a>.</p>`,
  );

export const linkPage = ({ email, otherBrowser }: SignInLink): string =>
  openPage(
    'Sign in',
    html`<h1>Finish signing in</h1>
<p>You'll be signed in as <b>${email}</b>.</p>
${otherBrowser && html`<p>This link was requested in another browser. Continue only if you requested it yourself.</p>`}
<form class="once" method="post"><button type="submit">Sign in</button></form>`,
  );

export const badLinkPage = (): string =>
  openNotice(
    'broken',
    "This link doesn't work",
    html`<p>It was already used, has expired, or is incomplete.</p>
<p><a class="button" href="/sign-in">Get a new link</a></p>`,
  );
