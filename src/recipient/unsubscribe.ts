// GET shows a button. POST unsubscribes, either from that button or from one click in an email program (RFC 8058). So POST needs no cookie,
// doesn't redirect, can be repeated, and accepts any body. Everything else that the page offers has an address of its own.
import type { Request } from 'polka';
import { RECIPIENT_CHOICES, type RecipientChoice, type UnsubscribePage } from '../database/store.ts';
import { ApiError } from '../errors.ts';
import { type Answer, page, redirect } from '../http/answer.ts';
import { recipientHeaders } from '../http/headers.ts';
import { note } from '../http/notes.ts';
import { isLinkToken } from '../mail/links.ts';
import type { RecipientContext } from './survey.ts';
import { type ShownUnsubscribe, unsubscribePage } from './unsubscribe-view.ts';

const unknown = () => new ApiError('not_found', 'No such link.');

function tokenOf({ params: { token = '' } }: Request): string {
  if (!isLinkToken(token)) throw unknown();
  return token;
}

/** @throws {ApiError} not_found. */
function known(request: Request, shown: UnsubscribePage | null): UnsubscribePage {
  if (shown === null) throw unknown();
  note(request, { workspace: shown.workspaceId, survey: shown.surveyId, invitation: shown.invitationId });
  return shown;
}

/** With how its workspace speaks. */
const worded = async ({ speeches }: RecipientContext, shown: UnsubscribePage): Promise<ShownUnsubscribe> => ({
  ...shown,
  speech: await speeches.of(shown.wording),
});

export const showUnsubscribe =
  (context: RecipientContext) =>
  async (request: Request): Promise<Answer> => {
    const token = tokenOf(request);
    const shown = known(request, await context.store.unsubscribePage(token));
    const { done } = request.query;
    return page(
      200,
      unsubscribePage(await worded(context, shown), token, done === 'subscribed' || done === 'saved' ? done : undefined),
      recipientHeaders(shown.accentColor),
    );
  };

export const unsubscribe =
  (context: RecipientContext) =>
  async (request: Request): Promise<Answer> => {
    const token = tokenOf(request);
    const shown = known(request, await context.store.unsubscribe(token));
    return page(200, unsubscribePage(await worded(context, shown), token), recipientHeaders(shown.accentColor));
  };

export const resubscribe =
  ({ store }: RecipientContext) =>
  async (request: Request): Promise<Answer> => {
    const token = tokenOf(request);
    known(request, await store.resubscribe(token));
    return redirect(`/u/${token}?done=subscribed`);
  };

/** once-a-month → once_a_month */
function choiceOf({ params: { choice = '' } }: Request): RecipientChoice {
  const chosen = RECIPIENT_CHOICES.find((one) => one.replaceAll('_', '-') === choice);
  if (chosen === undefined) throw unknown();
  return chosen;
}

const saved =
  (save: (token: string, choice: RecipientChoice) => Promise<UnsubscribePage | null>) =>
  async (request: Request): Promise<Answer> => {
    const token = tokenOf(request);
    known(request, await save(token, choiceOf(request)));
    return redirect(`/u/${token}?done=saved`);
  };

export const choose = ({ store }: RecipientContext) => saved(store.choose);
export const takeBack = ({ store }: RecipientContext) => saved(store.takeBack);
