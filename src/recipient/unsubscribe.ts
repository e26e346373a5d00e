// GET shows a button. POST unsubscribes, either from that button or from one click in an email program (RFC 8058). So POST needs no cookie,
// doesn't redirect, can be repeated, and accepts any body.
import type { Request } from 'polka';
import type { Store } from '../database/store.ts';
import { ApiError } from '../errors.ts';
import { type Answer, page, redirect } from '../http/answer.ts';
import { isLinkToken } from '../mail/links.ts';
import { unsubscribePage } from './unsubscribe-view.ts';

const unknown = () => new ApiError('not_found', 'No such link.');

function tokenOf({ params: { token = '' } }: Request): string {
  if (!isLinkToken(token)) throw unknown();
  return token;
}

export const showUnsubscribe =
  (store: Store) =>
  async (request: Request): Promise<Answer> => {
    const token = tokenOf(request);
    const shown = await store.unsubscribePage(token);
    if (shown === null) throw unknown();
    return page(200, unsubscribePage(shown, token, request.query.done === 'subscribed'));
  };

export const unsubscribe =
  (store: Store) =>
  async (request: Request): Promise<Answer> => {
    const token = tokenOf(request);
    const shown = await store.unsubscribe(token);
    if (shown === null) throw unknown();
    return page(200, unsubscribePage(shown, token));
  };

/** Uses a separate address, because any POST to the link itself unsubscribes. */
export const resubscribe =
  (store: Store) =>
  async (request: Request): Promise<Answer> => {
    const token = tokenOf(request);
    if ((await store.resubscribe(token)) === null) throw unknown();
    return redirect(`/u/${token}?done=subscribed`);
  };
