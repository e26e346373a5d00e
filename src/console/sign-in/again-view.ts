// The pages that ask for a fresh sign-in by email before an act that needs one. What was typed goes with them from form to form.
import { RECENT_SIGN_IN_MINUTES, SIGN_IN_MINUTES } from '../../database/sessions.ts';
import { type Html, html } from '../../html/html.ts';
import { form } from '../components.ts';
import type { PageContext } from '../frame.ts';

/** The form that was refused. */
export interface KeptForm {
  /** Where it is sent, and also the page that it is on. */
  readonly path: string;
  /** Without the CSRF token. */
  readonly fields: readonly (readonly [name: string, value: string])[];
}

/** The name of the field with the path. No other form has it. */
export const PATH_FIELD = 'sign-in-again-path';

const hidden = (fields: KeptForm['fields']): Html =>
  html`${fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}`;

const panel = (title: string, content: Html): Html =>
  html`<div class="head"><h1>${title}</h1></div>\n<section class="card panel ask">${content}</section>`;

const cancel = (path: string): Html => html`<a class="button quiet" href="${path}">Cancel</a>`;

export const signInAgainMain = ({ csrf, me }: PageContext, { path, fields }: KeptForm): Html =>
  panel(
    "Confirm that it's you",
    html`<p>Nothing has been done yet. This needs a sign-in of the last ${RECENT_SIGN_IN_MINUTES} minutes, so that nobody who finds your browser open can do it.</p>
<p>We'll email a new sign-in link to <b>${me.email}</b>. What you entered is kept.</p>
${form(csrf, html`${hidden([[PATH_FIELD, path], ...fields])}<p class="actions"><button type="submit">Email me a link</button> ${cancel(path)}</p>`, { action: '/sign-in-again' })}`,
  );

export const linkSentMain = ({ csrf, me }: PageContext, { path, fields }: KeptForm): Html =>
  panel(
    'Check your email',
    html`<p>We've sent a sign-in link to <b>${me.email}</b>. It works once and expires in ${SIGN_IN_MINUTES} minutes.</p>
<p>Open it in this browser and sign in. Then come back to this tab and continue: what you entered is kept here.</p>
${form(csrf, html`${hidden(fields)}<p class="actions"><button type="submit">Continue</button> ${cancel(path)}</p>`, { action: path })}`,
  );

/** For a form from before the person signed in again: its token belongs to the session that has ended. */
export const continueMain = ({ csrf, me }: PageContext, { path, fields }: KeptForm): Html =>
  panel(
    "You're signed in again",
    html`<p>Your form is from before you signed in, so nothing has been done yet. Send it now as <b>${me.email}</b>?</p>
${form(csrf, html`${hidden(fields)}<p class="actions"><button type="submit">Send it now</button> <a class="button quiet" href="/">Go to your surveys</a></p>`, { action: path })}`,
  );
