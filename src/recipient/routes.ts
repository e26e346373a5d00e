// The recipients' routes.
import type { Store } from '../database/store.ts';
import type { Handler } from '../http/answer.ts';
import type { AddressLimit } from '../http/rate-limit.ts';
import { showSurvey, showThanks, submitSurvey } from './survey.ts';
import { choose, resubscribe, showUnsubscribe, takeBack, unsubscribe } from './unsubscribe.ts';

/** @param openLimit Limits responses without a link. */
type Make = (store: Store, openLimit: AddressLimit) => Handler;

export const RECIPIENT_ROUTES: readonly (readonly [method: 'GET' | 'POST', path: string, make: Make])[] = [
  ['GET', '/s/:survey', showSurvey],
  ['POST', '/s/:survey', submitSurvey],
  ['GET', '/s/:survey/thanks', showThanks],
  ['GET', '/u/:token', showUnsubscribe],
  ['POST', '/u/:token', unsubscribe],
  ['POST', '/u/:token/subscribe', resubscribe],
  ['POST', '/u/:token/choose/:choice', choose],
  ['POST', '/u/:token/take-back/:choice', takeBack],
];
