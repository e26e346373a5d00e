// Wraps every handler: sets the request id, responds to errors and writes a log line. The line has the method and the route, but not the
// path and the query string, because these hold tokens.
import type { Request, Response } from 'polka';
import { isNotReady } from '../database/pool.ts';
import { ClientGoneError, type ErrorCode } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Recorder } from '../metrics.ts';
import { logOutage } from '../outage.ts';
import type { Answer, Handler } from './answer.ts';
import { bodyMemory } from './body.ts';
import { encode } from './compress.ts';
import { asApiError, FramedError, jsonErrorAnswer, NOT_READY, pageErrorAnswer } from './error-answer.ts';
import { headersOf, readRequestId } from './headers.ts';
import { notesOf } from './notes.ts';
import { isClientGone, stream } from './stream.ts';

export interface Watch {
  readonly recorder?: Recorder | undefined;
  /** The client's address. */
  readonly client?: ((request: Request) => string) | undefined;
}

/** Errors that are logged with the client's address, so that the source of a flood can be found. No other log line has an address. */
const SOURCED: ReadonlySet<ErrorCode | undefined> = new Set<ErrorCode>(['missing_token', 'unknown_token', 'flood_protection']);
/** Requests that come with every page, and requests that a load balancer repeats all the time. */
const ROUTINE = /^\/(assets\/|logo\/|healthz$|readyz$)/;

/**
 * @param route The pattern, for the log.
 * @param errors The format of error responses.
 */
export function handle(log: Log, route: string, errors: 'json' | 'page', handler: Handler, { recorder, client }: Watch = {}) {
  return async (request: Request, response: Response): Promise<void> => {
    if (request.socket.destroyed) return;
    const began = performance.now();
    const requestId = readRequestId(request);
    let answer: Answer;
    let code: ErrorCode | undefined;
    try {
      answer = await handler(request);
    } catch (thrown) {
      if (thrown instanceof ClientGoneError) {
        bodyMemory.release(request);
        return;
      }
      const { cause, frame } = thrown instanceof FramedError ? thrown : { cause: thrown, frame: undefined };
      const error = asApiError(cause);
      code = error.code;
      if (code === 'not_ready') logOutage(log, cause, isNotReady(cause) ? NOT_READY : error.message, { route });
      else if (error.status >= 500) log.error({ err: error.cause ?? cause, request_id: requestId, route }, error.message);
      answer = errors === 'json' ? jsonErrorAnswer(error, requestId) : pageErrorAnswer(error, requestId, frame);
    }
    const broken = await send(request, response, answer, requestId);
    bodyMemory.release(request);
    if (broken !== undefined) {
      code = asApiError(broken).code;
      log.error({ err: broken, request_id: requestId, route }, 'the response broke off');
    }
    const ms = performance.now() - began;
    recorder?.request(route, answer.status, code, ms / 1000);
    log[ROUTINE.test(route) && answer.status < 400 ? 'debug' : 'info'](
      {
        request_id: requestId,
        method: request.method,
        route,
        status: answer.status,
        code,
        ms: Math.round(ms),
        client: SOURCED.has(code) ? client?.(request) : undefined,
        ...notesOf(request),
      },
      'request',
    );
  };
}

/** Returns the error that interrupted the response. Undefined: it was sent, or the client disconnected. */
async function send(request: Request, response: Response, answer: Answer, requestId: string): Promise<unknown> {
  const headers = headersOf(answer, requestId);
  if (answer.stream !== undefined && request.method !== 'HEAD') {
    const error = await stream(response, answer.status, headers, answer.stream);
    return isClientGone(error) ? undefined : error;
  }
  const encoded = answer.type === 'application/json' ? { body: answer.body, headers: {} } : await encode(request, answer);
  response.writeHead(answer.status, { 'content-length': Buffer.byteLength(encoded.body), ...headers, ...encoded.headers });
  response.end(request.method === 'HEAD' ? undefined : encoded.body);
}
