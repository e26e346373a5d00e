// The unsubscribe page. GET shows a button; POST unsubscribes, from the button or by a mail client's one click (RFC 8058): no cookie,
// no redirect, repeatable, and whatever the body is. Another POST takes it back.
import type { Request } from 'polka';
import { ApiError } from '../../errors.ts';
import { isLinkToken } from '../../mail/links.ts';
import { unsubscribePage } from '../../pages/unsubscribe.ts';
import { readBody } from '../body.ts';
import { type Answer, page } from '../handler.ts';
import type { ServerContext } from '../server.ts';

const MAX_FORM = 64 * 1024;
const unknown = () => new ApiError('not_found', 'There is no such link.');

function tokenOf({ params: { token = '' } }: Request): string {
  if (!isLinkToken(token)) throw unknown();
  return token;
}

export const showUnsubscribe =
  ({ functions }: ServerContext) =>
  async (request: Request): Promise<Answer> => {
    const token = tokenOf(request);
    const shown = await functions.unsubscribePage(token);
    if (shown === null) throw unknown();
    return page(200, unsubscribePage(shown, token, request.query.done === 'subscribed'));
  };

export const unsubscribe =
  ({ functions }: ServerContext) =>
  async (request: Request): Promise<Answer> => {
    await readBody(request, MAX_FORM);
    const token = tokenOf(request);
    const shown = await functions.unsubscribe(token);
    if (shown === null) throw unknown();
    return page(200, unsubscribePage(shown, token));
  };

/** An address of its own: whatever is posted to the link itself unsubscribes. */
export const subscribeAgain =
  ({ functions }: ServerContext) =>
  async (request: Request): Promise<Answer> => {
    await readBody(request, MAX_FORM);
    const token = tokenOf(request);
    if ((await functions.subscribeAgain(token)) === null) throw unknown();
    return { ...page(303, ''), headers: { location: `/u/${token}?done=subscribed` } };
  };
