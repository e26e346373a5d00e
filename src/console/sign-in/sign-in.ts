// Signing in by an emailed link, and out. A GET never uses up a link: email scanners follow links. Neither the response nor its time tells
// whether an address is known: the worker looks it up.
import { isEmailValid } from '@hapi/address';
import type { Request } from 'polka';
import { ApiError } from '../../errors.ts';
import { type Handler, page, redirect } from '../../http/answer.ts';
import { createKey, hashSecret, isKey } from '../../secret.ts';
import { type ConsoleContext, type PageHandler, readForm } from '../page.ts';
import { isSameOrigin, readSessionKey, sessionCookie } from '../session.ts';
import { askedPage, badLinkPage, linkPage, signInPage } from './sign-in-view.ts';

export interface SignInContext extends ConsoleContext {
  readonly signInGuard: { attempt(address: string): unknown };
  clientAddress(request: Request): string;
}

/** A path on this server. Browsers take `//` and `/\` for another host. */
const ownPath = (text: string | null): string | undefined =>
  text !== null && text.length <= 500 && /^\/([^/\\\s\p{Cc}][^\\\s\p{Cc}]*)?$/u.test(text) ? text : undefined;

/** @throws {ApiError} flood_protection, forbidden. */
function guard({ signInGuard, clientAddress, publicUrl }: SignInContext, request: Request): void {
  if (signInGuard.attempt(clientAddress(request)) !== undefined) {
    throw new ApiError('flood_protection', 'Too many sign-in attempts.');
  }
  if (!isSameOrigin(request, publicUrl()))
    throw new ApiError('forbidden', "This form isn't from our sign-in page. Go back, reload the page, and try again.");
}

export const showSignIn = (): Handler => (request) =>
  page(200, signInPage(ownPath(new URLSearchParams(request.search ?? '').get('next'))));

export const askForLink =
  (context: SignInContext): Handler =>
  async (request) => {
    const form = await readForm(request);
    guard(context, request);
    const email = (form.get('email') ?? '').trim();
    const next = ownPath(form.get('next'));
    if (email.length > 254 || !isEmailValid(email)) return page(422, signInPage(next, email));
    await context.store.console.requestSignInLink(email, next);
    return page(200, askedPage());
  };

export const showSignInLink =
  ({ store }: ConsoleContext): Handler =>
  async ({ params: { key = '' } }) =>
    isKey(key) && (await store.console.isSignInLink(hashSecret(key))) ? page(200, linkPage()) : page(410, badLinkPage());

export const signIn =
  (context: SignInContext): Handler =>
  async (request) => {
    await readForm(request);
    guard(context, request);
    const { key: given = '' } = request.params;
    const { key, hash } = createKey();
    const signedIn = isKey(given) ? await context.store.console.signIn(hashSecret(given), hash) : null;
    if (signedIn === null) return page(410, badLinkPage());
    // The browser forgets its previous session, so nobody could end it later.
    const before = readSessionKey(request, context.https);
    if (before !== undefined) await context.store.console.signOut(hashSecret(before));
    return redirect(signedIn.nextPath ?? '/', { 'set-cookie': sessionCookie(key, context.https) });
  };

export const signOut =
  ({ store, https }: ConsoleContext): PageHandler =>
  async ({ session }) => {
    await store.console.signOut(session);
    return redirect('/', { 'set-cookie': sessionCookie('', https) });
  };
