// Reads the forms that pages submit.
import type { IncomingMessage } from 'node:http';
import { ApiError } from '../errors.ts';
import { toStorable } from '../text.ts';
import { readBody } from './body.ts';

/** More fields than any of our forms has. */
const MAX_FIELDS = 1_000;

/** @throws {ApiError} body_too_large; invalid_field: too many fields. */
export async function readForm(request: IncomingMessage, maxBytes: number): Promise<URLSearchParams> {
  const body = await readBody(request, maxBytes);
  if (countOf('&'.charCodeAt(0), body) >= MAX_FIELDS) throw new ApiError('invalid_field', 'The form has too many fields.');
  return new URLSearchParams(body.toString('utf8'));
}

/** Removes characters that PostgreSQL can't store. */
export async function readStorableForm(request: IncomingMessage, maxBytes: number): Promise<URLSearchParams> {
  const form = await readForm(request, maxBytes);
  return new URLSearchParams(Array.from(form, ([name, text]): [string, string] => [name, toStorable(text)]));
}

function countOf(byte: number, body: Buffer): number {
  let count = 0;
  for (let at = body.indexOf(byte); at !== -1; at = body.indexOf(byte, at + 1)) count += 1;
  return count;
}
