// The response that a handler returns.
import type { Request } from 'polka';

export interface Answer {
  readonly status: number;
  readonly type:
    | `text/${'html' | 'css' | 'javascript' | 'plain' | 'csv'}`
    | 'application/json'
    | `image/${'svg+xml' | 'png' | 'jpeg'}`
    | 'font/woff2';
  readonly body: string | Buffer;
  /** The body, compressed in advance. */
  readonly compressed?: Readonly<Record<'br' | 'gzip', Buffer>>;
  /** Sent instead of the body, as fast as the client reads it. If it fails, the connection is broken off. */
  readonly stream?: AsyncIterable<string>;
  readonly headers?: Readonly<Record<string, string | string[]>>;
}

export type Handler = (request: Request) => Answer | Promise<Answer>;

export const json = (status: number, value: unknown, headers: Record<string, string | string[]> = {}): Answer => ({
  status,
  type: 'application/json',
  body: JSON.stringify(value),
  headers,
});

export const page = (status: number, body: string, headers: Record<string, string | string[]> = {}): Answer => ({
  status,
  type: 'text/html',
  body,
  headers,
});

/** 303 after a form, so that reloading the page doesn't submit the form again. */
export const redirect = (location: string, headers: Record<string, string | string[]> = {}, status: 302 | 303 = 303): Answer =>
  page(status, '', { ...headers, location });
