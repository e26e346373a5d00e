// The recipients' routes.
import type { Handler } from '../http/answer.ts';
import { type RecipientContext, showSurvey, showThanks, submitSurvey } from './survey.ts';
import { choose, resubscribe, showUnsubscribe, takeBack, unsubscribe } from './unsubscribe.ts';

type Make = (context: RecipientContext) => Handler;

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
