// What a client is told about an error, as JSON or as a page. openapi.json uses the same schema.
import { type Static, Type } from '@sinclair/typebox';
import { isNotReady } from '../database/pool.ts';
import { ApiError, ERROR_CODES, type ErrorCode } from '../errors.ts';
import type { Html } from '../html/html.ts';
import { type ErrorWords, errorPage, type Layout } from '../html/layout.ts';
import { speak, type Voice } from '../languages/languages.ts';
import { type Answer, json, page } from './answer.ts';
import { CONSOLE_HEADERS } from './headers.ts';

/** The log message, the same wherever the outage is noticed. */
export const NOT_READY = 'the database is not ready: requests get 503 until it is';
/** Seconds. */
export const NOT_READY_RETRY = 5;

/** The titles of schemas are their names in openapi.json. */
const Code = Type.Unsafe<ErrorCode>({ title: 'ErrorCode', type: 'string', enum: Object.keys(ERROR_CODES) });

const ErrorDetail = Type.Object(
  {
    field: Type.String({
      description: 'Path of the field, such as emails[2].email. With flood_protection also token or client address.',
    }),
    message: Type.String({ description: 'The end of a sentence that begins with the field.' }),
    limit: Type.Optional(Type.Integer({ minimum: 0, description: 'With flood_protection: what is allowed.' })),
    remaining: Type.Optional(Type.Integer({ minimum: 0, description: 'With flood_protection: what is left of it.' })),
  },
  { title: 'ErrorDetail' },
);

export const ErrorResponse = Type.Object(
  {
    ok: Type.Literal(false),
    message: Type.String({ description: 'A sentence for people.' }),
    error: Type.Object({
      code: Code,
      details: Type.Array(ErrorDetail, { description: 'Every error in the payload, at most 100.' }),
      retry_after_seconds: Type.Optional(Type.Integer({ minimum: 1, description: 'With 429 and 503; also in Retry-After.' })),
    }),
    request_id: Type.String({ description: 'Also in X-Request-Id; quote it when you ask for help.' }),
  },
  { title: 'ErrorResponse' },
);
export type ErrorResponse = Static<typeof ErrorResponse>;

export interface ErrorFrame {
  readonly layout: Layout;
  /** Undefined: English. */
  readonly voice?: Voice;
  /** Undefined: the usual sentence for the error's status. */
  readonly sentence?: string;
  /** In the console: a link to a page that works. */
  readonly more?: Html;
}

/** An error that is shown in the frame of the page where it occurred. */
export class FramedError extends Error {
  readonly frame: ErrorFrame;
  constructor(cause: unknown, frame: ErrorFrame) {
    super('an error in a frame', { cause });
    this.frame = frame;
  }
}

/** An error that wasn't written for clients becomes a general one, which tells nothing about our internals. */
export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (isNotReady(error)) {
    return new ApiError('not_ready', "The service isn't ready: its database can't respond. Try again later.", {
      retryAfterSeconds: NOT_READY_RETRY,
    });
  }
  return new ApiError('internal_error', 'Something went wrong on our side.');
}

export function jsonErrorAnswer({ code, status, message, details, retryAfterSeconds }: ApiError, requestId: string): Answer {
  const body: ErrorResponse = {
    ok: false,
    message,
    error: {
      code,
      details: details.map(({ code, ...detail }) => detail),
      ...(retryAfterSeconds !== undefined && { retry_after_seconds: retryAfterSeconds }),
    },
    request_id: requestId,
  };
  return json(status, body, {
    ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
    ...(code === 'method_not_allowed' && { allow: 'POST' }),
  });
}

export function pageErrorAnswer({ status, message, retryAfterSeconds }: ApiError, requestId: string, frame?: ErrorFrame): Answer {
  const texts = errorWords(status, message, requestId, frame?.voice ?? speak('en'));
  const { sentence = texts.sentence } = frame ?? {};
  return page(status, errorPage(status === 503 || status === 429, { ...texts, sentence }, frame?.layout, frame?.more), {
    ...(frame?.more && CONSOLE_HEADERS),
    ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
  });
}

/** @param reason Why a request isn't allowed. Only 403 shows it; the texts of other errors depend only on the status. */
function errorWords(status: number, reason: string, requestId: string, voice: Voice): ErrorWords {
  const request = voice.say('requestId', { id: requestId });
  // Only pages for members return 403.
  if (status === 403) return { title: 'Not allowed', sentence: reason, request };
  const name =
    status === 404
      ? 'notFound'
      : status === 429
        ? 'tooMany'
        : status === 503
          ? 'unavailable'
          : status >= 500
            ? 'failed'
            : 'badRequest';
  return { title: voice.say(`${name}Title`), sentence: voice.say(name), request };
}
