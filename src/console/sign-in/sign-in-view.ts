// The pages for who is not signed in. Pure.
import { html } from '../../html/html.ts';
import { layout, noticePage } from '../../html/layout.ts';
import { field } from '../components.ts';

export const welcomePage = (): string =>
  layout(
    'Invitation Trigger Service',
    html`<h1>Invitation Trigger Service</h1>
<p>The service is running.</p>
<p><a class="button" href="/sign-in">Sign in</a></p>`,
  );

/** @param next The page to go on to. @param refused What was given as the address, if it is none. */
export const signInPage = (next: string | undefined, refused?: string): string =>
  layout(
    'Sign in',
    html`<h1>Sign in</h1>
<p>We send you a link that signs you in. There is no password.</p>
<form method="post" action="/sign-in">
${next !== undefined && html`<input type="hidden" name="next" value="${next}">`}
${field({
  name: 'email',
  label: 'E-mail address',
  type: 'email',
  value: refused,
  error: refused === undefined ? undefined : 'This is no e-mail address.',
  more: html` autocomplete="email" required`,
})}
<button type="submit">Send the link</button>
</form>`,
  );

export const askedPage = (): string =>
  noticePage(
    'mail',
    'Look at your mail',
    html`<p>If the address belongs to a member, a link is on its way. It works once, within 15 minutes.</p>
<p class="note">Nothing there? Look among the spam, or <a href="/sign-in">ask again</a>.</p>`,
  );

export const linkPage = (): string =>
  layout(
    'Sign in',
    html`<h1>Sign in</h1><p>One click more.</p><form method="post"><button type="submit">Sign in</button></form>`,
  );

export const badLinkPage = (): string =>
  noticePage(
    'broken',
    'This link does not work',
    html`<p>It was used already, is older than 15 minutes, or was cut off on its way.</p>
<p><a class="button" href="/sign-in">Ask for a new one</a></p>`,
  );
