// Signs people in by an emailed link. GET never uses the link up, because email scanners follow links. Neither the response nor the time it
// takes shows whether an address is known.
import { isEmailValid } from '@hapi/address';
import type { Request } from 'polka';
import { ApiError } from '../../errors.ts';
import { type Handler, redirect } from '../../http/answer.ts';
import { note } from '../../http/notes.ts';
import type { AddressLimit } from '../../http/rate-limit.ts';
import { cellOfKey, createKey, createNonce, hashSecret, isKey, sha256 } from '../../secret.ts';
import { authenticate, type ConsoleContext, type PageHandler, readConsoleForm } from '../page.ts';
import { isSameOrigin, readSessionKey, readSignInKey, sessionCookie, signInCookie } from '../session.ts';
import { deviceOf } from './device.ts';
import { openAnswer } from './open-page.ts';
import { ownPath } from './own-path.ts';
import { askedPage, badLinkPage, linkPage, signedOutPage, signInPage } from './sign-in-view.ts';

export interface SignInContext extends ConsoleContext {
  /** Limits requests for links, and visits to paths that can't be a sign-in link. */
  readonly signInLimit: AddressLimit;
  /**
   * Limits uses of links. Nobody can guess a link's secret, so this limits only the server's work. It is separate from signInLimit: too
   * many requests for links never prevent someone from using one.
   */
  readonly redeemLimit: AddressLimit;
  clientAddress(request: Request): string;
}

/** @throws {ApiError} flood_protection, forbidden. */
function guard({ publicUrl }: SignInContext, limit: AddressLimit, request: Request): void {
  limit.take(request);
  if (!isSameOrigin(request, publicUrl()))
    throw new ApiError('forbidden', "This form isn't from our sign-in page. Go back, reload the page, and try again.");
}

export const showSignIn = (): Handler => (request) =>
  openAnswer(200, signInPage(ownPath(new URLSearchParams(request.search ?? '').get('next'))));

export const askForLink =
  (context: SignInContext): Handler =>
  async (request) => {
    guard(context, context.signInLimit, request);
    const form = await readConsoleForm(request);
    const email = (form.get('email') ?? '').trim();
    const next = ownPath(form.get('next'));
    if (email.length > 254 || !isEmailValid(email)) return openAnswer(422, signInPage(next, email));
    const key = readSignInKey(request, context.https) ?? createNonce();
    await context.store.console.requestSignInLink(email, next, sha256(key));
    return openAnswer(200, askedPage(), { 'set-cookie': signInCookie(key, context.https) });
  };

export const showSignInLink =
  ({ store, https }: ConsoleContext): Handler =>
  async (request) => {
    const { key = '' } = request.params;
    const browserKey = readSignInKey(request, https);
    const browser = browserKey === undefined ? undefined : sha256(browserKey);
    const link = isKey(key) ? await store.console.findSignInLink(hashSecret(key), browser) : null;
    return link === null ? openAnswer(410, badLinkPage()) : openAnswer(200, linkPage(link));
  };

export const signIn =
  (context: SignInContext): Handler =>
  async (request) => {
    const { key: given = '' } = request.params;
    guard(context, isKey(given) ? context.redeemLimit : context.signInLimit, request);
    const { key, hash } = createKey(cellOfKey(given));
    const address = context.clientAddress(request);
    const signedIn = isKey(given)
      ? await context.store.console.signIn(hashSecret(given), hash, address, deviceOf(request.headers['user-agent']))
      : null;
    if (signedIn === null) return openAnswer(410, badLinkPage());
    // The browser will forget its previous session, and nobody could end that session later. So end it now.
    const before = readSessionKey(request, context.https);
    if (before !== undefined) await context.store.console.signOut(hashSecret(before));
    const cookies = [sessionCookie(key, context.https)];
    if (readSignInKey(request, context.https) !== undefined) cookies.push(signInCookie('', context.https));
    note(request, { signed_in: signedIn.email, client_address: address });
    return redirect(signedIn.nextPath ?? '/', { 'set-cookie': cookies });
  };

export const signOut =
  ({ store, https }: ConsoleContext): PageHandler =>
  async ({ session }) => {
    await store.console.signOut(session);
    return redirect('/signed-out', { 'set-cookie': sessionCookie('', https) });
  };

/** Both ways of signing out redirect to this page. */
export const showSignedOut =
  (context: ConsoleContext): Handler =>
  async (request) => {
    if ((await authenticate(context, request)) !== undefined) return redirect('/');
    return openAnswer(200, signedOutPage(new URLSearchParams(request.search ?? '').has('everywhere')));
  };
