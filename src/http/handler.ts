// The wrapper of every handler: request id, answer, log line, and what an error becomes. Nothing of a request but its method and the
// pattern of its route is logged: paths and query strings hold tokens.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Request, Response } from 'polka';
import { isNotReady } from '../database/pool.ts';
import { ApiError, type ErrorCode } from '../errors.ts';
import { errorPage, type Layout } from '../html/layout.ts';
import type { Log } from '../log.ts';
import type { Recorder } from '../metrics.ts';
import type { ErrorResponse } from '../trigger/schema.ts';
import { isClientGone, stream } from './stream.ts';

/** What a handler answers with. */
export interface Answer {
  readonly status: number;
  readonly type: `text/${'html' | 'css' | 'javascript' | 'plain' | 'csv'}` | 'application/json' | 'image/svg+xml';
  readonly body: string;
  /** What is sent instead of the body, piece by piece, as fast as the client takes it. If it fails, the connection is broken. */
  readonly stream?: AsyncIterable<string>;
  readonly headers?: Readonly<Record<string, string>>;
  /** What the log line of the request says besides. */
  readonly logged?: Readonly<Record<string, string>>;
}

export type Handler = (request: Request) => Answer | Promise<Answer>;

export const json = (status: number, value: unknown, headers: Record<string, string> = {}): Answer => ({
  status,
  type: 'application/json',
  body: JSON.stringify(value),
  headers,
});

export const page = (status: number, body: string): Answer => ({ status, type: 'text/html', body });

/** An error that is to be shown in the frame of the page where it happened. */
export class FramedError extends Error {
  readonly layout: Layout;
  constructor(cause: unknown, layout: Layout) {
    super('an error in a frame', { cause });
    this.layout = layout;
  }
}

/** Seconds after which a client should try again when the database is not ready. */
const NOT_READY_RETRY = 5;

const policy = (scripts: string): Record<string, string> => ({
  'content-security-policy': `default-src 'none'; style-src 'self'; ${scripts}img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
});

const PAGE_HEADERS = {
  ...policy(''),
  // The address of a page may hold a link token, which must not travel on as a Referer.
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
};

/** As for every page, but for the script that shows the reader's own time. */
export const MEMBER_HEADERS = policy("script-src 'self'; ");

/** As for a member's page, but it may show another page of ours in a frame. */
export const FRAMING_HEADERS = policy("script-src 'self'; frame-src 'self'; ");

/** For what is shown in such a frame: a mail, with the styles that it brings along. Sandboxed, wherever it is opened. */
export const FRAMED_HEADERS: Record<string, string> = {
  'content-security-policy':
    "default-src 'none'; style-src 'self' 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox",
  'x-frame-options': 'SAMEORIGIN',
};

/**
 * Makes a Polka handler of ours.
 * @param route The route's pattern, for the log.
 * @param errors Whether errors are answered in JSON or as a page.
 * @param recorder Counts the request, if there is one.
 */
export function handle(log: Log, route: string, errors: 'json' | 'page', handler: Handler, recorder?: Recorder) {
  return async (request: Request, response: Response): Promise<void> => {
    const began = performance.now();
    const requestId = readRequestId(request);
    let answer: Answer;
    let code: string | undefined;
    try {
      answer = await handler(request);
    } catch (error) {
      const { cause, layout } = error instanceof FramedError ? error : { cause: error, layout: undefined };
      const fault = asApiError(cause);
      code = fault.code;
      if (fault.status >= 500) log.error({ err: cause, request_id: requestId, route }, fault.message);
      answer = errors === 'json' ? errorAnswer(fault, requestId) : errorPageOf(fault, requestId, layout);
    }
    code = (await transmit(log, route, request, response, answer, requestId)) ?? code;
    const ms = performance.now() - began;
    recorder?.request(route, answer.status, code, ms / 1000);
    log.info(
      {
        request_id: requestId,
        method: request.method,
        route,
        status: answer.status,
        code,
        ms: Math.round(ms),
        ...answer.logged,
      },
      'request',
    );
  };
}

/** Sends the answer. Returns the code of what has broken it off; undefined: it went out, or the client has gone. */
async function transmit(
  log: Log,
  route: string,
  request: Request,
  response: Response,
  answer: Answer,
  requestId: string,
): Promise<ErrorCode | undefined> {
  if (answer.stream === undefined || request.method === 'HEAD') {
    send(request, response, answer, requestId);
    return undefined;
  }
  const error = await stream(response, answer.status, headersOf(answer, requestId), answer.stream);
  if (error === undefined || isClientGone(error)) return undefined;
  const fault = asApiError(error);
  log.error({ err: error, request_id: requestId, route }, 'the answer broke off');
  return fault.code;
}

function headersOf({ type, headers }: Answer, requestId: string): Record<string, string> {
  return {
    'content-type': type === 'application/json' ? type : `${type}; charset=utf-8`,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': requestId,
    ...(type === 'text/html' && PAGE_HEADERS),
    ...headers,
  };
}

function send(request: Request, response: Response, answer: Answer, requestId: string): void {
  response.writeHead(answer.status, {
    'content-length': Buffer.byteLength(answer.body),
    ...headersOf(answer, requestId),
  });
  response.end(request.method === 'HEAD' ? undefined : answer.body);
}

const errorPageOf = ({ status, message }: ApiError, requestId: string, layout?: Layout): Answer => ({
  ...page(status, errorPage(status, requestId, message, layout)),
  ...(layout && { headers: MEMBER_HEADERS }),
});

function errorAnswer(fault: ApiError, requestId: string): Answer {
  const retryAfter = fault.retryAfterSeconds;
  const body: ErrorResponse = {
    ok: false,
    message: fault.message,
    error: {
      code: fault.code,
      details: [...fault.details],
      ...(retryAfter !== undefined && { retry_after_seconds: retryAfter }),
    },
    request_id: requestId,
  };
  return json(fault.status, body, {
    ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
    ...(fault.code === 'method_not_allowed' && { allow: 'POST' }),
  });
}

/** What a client is told of an error: its own words if it is meant for clients, otherwise nothing of the inside. */
export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (isNotReady(error)) {
    return new ApiError('not_ready', 'The service is not ready: its database cannot answer now. Try again later.', {
      retryAfterSeconds: NOT_READY_RETRY,
    });
  }
  return new ApiError('internal_error', 'Something went wrong on our side. Nothing is known to have been queued.');
}

/** The caller's X-Request-Id if it is one, otherwise a new one. */
function readRequestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && /^[\w.:-]{1,128}$/.test(given) ? given : randomUUID();
}

/** The client's address; with proxies in front, the one that the outermost trusted proxy saw. */
export function clientAddress(request: IncomingMessage, trustedProxies: number): string {
  const direct = request.socket.remoteAddress ?? '';
  if (trustedProxies === 0) return direct;
  const forwarded = String(request.headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((address) => address.trim())
    .filter(Boolean);
  return forwarded.at(-trustedProxies) ?? forwarded[0] ?? direct;
}
